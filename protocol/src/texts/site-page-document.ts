/**
 * Texts of the one HTML document of the gateway's own answers: self-contained, no script, Portuguese first
 * and English beneath.
 */

export interface PageText {
  title: string;
  text: string;
}

export interface PageDocument {
  status: number;
  code: string;
  portuguese: PageText;
  english: PageText;
  /** Seconds after which the page reloads itself. */
  refreshSeconds?: number;
}

export function pageDocument({ status, code, portuguese, english, refreshSeconds }: PageDocument): string {
  const refresh =
    refreshSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const wait =
    refreshSeconds === undefined ? "" : '<p class="wait" aria-hidden="true"><i></i><i></i><i></i></p>';
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}
<title>${escapeHtml(portuguese.title)}</title>
<style>
:root { color-scheme: light dark; --ink: #1d1b19; --soft: #6d665f; --paper: #faf7f3; --brick: #b5482d; }
@media (prefers-color-scheme: dark) { :root { --ink: #f1ece6; --soft: #a39a91; --paper: #191715; --brick: #e0714f; } }
* { margin: 0; box-sizing: border-box; }
body { min-height: 100vh; display: grid; place-items: center; padding: 2rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; border-left: .3rem solid var(--brick); padding-left: 1.75rem; }
h1 { font-size: clamp(1.6rem, 5vw, 2.2rem); line-height: 1.2; letter-spacing: -.02em; margin-bottom: .75rem; text-wrap: balance; }
section { margin-top: 1.75rem; color: var(--soft); font-size: .95rem; }
h2 { font-size: 1rem; font-weight: 600; color: var(--ink); }
footer { margin-top: 1.75rem; color: var(--soft); font: .8rem ui-monospace, monospace; }
.wait { display: flex; gap: .4rem; margin-top: 1.25rem; }
.wait i { width: 1.4rem; height: .6rem; background: var(--brick); border-radius: .1rem; animation: lay 1.2s infinite; }
.wait i:nth-child(2) { animation-delay: .2s; } .wait i:nth-child(3) { animation-delay: .4s; }
@keyframes lay { 0%, 100% { opacity: .2; } 40% { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .wait i { animation: none; } }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(portuguese.title)}</h1>
<p>${escapeHtml(portuguese.text)}</p>
${wait}
<section lang="en">
<h2>${escapeHtml(english.title)}</h2>
<p>${escapeHtml(english.text)}</p>
</section>
<footer>${status} · ${escapeHtml(code)}</footer>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
