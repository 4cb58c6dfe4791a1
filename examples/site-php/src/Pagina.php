<?php

declare(strict_types=1);

namespace Exemplo;

final class Pagina
{
    public function __construct(private readonly string $versao)
    {
    }

    public function html(int $visitas): string
    {
        $versao = htmlspecialchars($this->versao);
        return <<<HTML
            <!doctype html>
            <html lang="pt-BR">
              <head><meta charset="utf-8"><title>Seu site está no ar</title><link rel="stylesheet" href="/style.css"></head>
              <body>
                <h1>Seu site está no ar</h1>
                <p>Suas visitas: {$visitas}. PHP {$versao}.</p>
              </body>
            </html>

            HTML;
    }
}
