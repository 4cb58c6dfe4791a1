<?php
// Toda página que não é um arquivo da pasta public passa por aqui.

declare(strict_types=1);

require __DIR__ . '/../vendor/autoload.php';

use Exemplo\Pagina;

$caminho = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($caminho === '/saude') {
    header('Content-Type: application/json');
    echo json_encode(['ok' => true]);
    return;
}

if ($caminho !== '/') {
    http_response_code(404);
    header('Content-Type: text/plain; charset=utf-8');
    echo "Esta página não existe.\n";
    return;
}

session_start();
$_SESSION['visitas'] = ($_SESSION['visitas'] ?? 0) + 1;
error_log('visita ' . $_SESSION['visitas']);
echo (new Pagina(PHP_VERSION))->html($_SESSION['visitas']);
