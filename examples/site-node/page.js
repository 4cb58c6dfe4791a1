// O HTML da página.

export function page({ visits, upSeconds, nodeVersion }) {
  return `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Seu site está no ar</title>
    <style>
      :root { color-scheme: light dark; --tijolo: #b5492b; }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 18px/1.6 system-ui, sans-serif; background: light-dark(#fbf6f1, #191412); color: light-dark(#2b201b, #f1e7e0); }
      main { max-width: 34rem; padding: 2rem; }
      h1 { font-size: 2.4rem; line-height: 1.15; margin: 0 0 1rem; }
      .parede { display: grid; grid-template-columns: repeat(6, 1fr); gap: 6px; margin-bottom: 2rem; }
      .parede i { height: 22px; border-radius: 3px; background: var(--tijolo); opacity: .9; }
      .parede i:nth-child(3n) { opacity: .7; }
      dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
      dt { opacity: .7; }
      dd { margin: 0; font-variant-numeric: tabular-nums; }
      code { background: color-mix(in srgb, var(--tijolo) 15%, transparent); border-radius: 4px; padding: .1em .35em; }
    </style>
  </head>
  <body>
    <main>
      <div class="parede" aria-hidden="true">${"<i></i>".repeat(12)}</div>
      <h1>Seu site está no ar</h1>
      <p>Esta página sai de um servidor Node dentro do seu próprio Tijolo. Troque o código, rode <code>tijolo up</code> e ela muda.</p>
      <dl>
        <dt>Visitas</dt><dd>${visits}</dd>
        <dt>No ar há</dt><dd>${upSeconds} s</dd>
        <dt>Node</dt><dd>${nodeVersion}</dd>
      </dl>
    </main>
  </body>
</html>
`;
}
