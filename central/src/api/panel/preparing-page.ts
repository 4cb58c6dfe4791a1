/** Renders the page that stands for the panel until it is built; it reloads itself without a script. */

import { panelPages } from "@tijolo/protocol/texts/central";
import { html, type Html } from "../docs/html.ts";
import { headersOfStyledPage } from "./panel-headers.ts";

export const retryAfterSeconds = 2;

const style = `
:root { color-scheme: light dark; --ink: #1d1b19; --soft: #524c46; --paper: #faf7f3; --brick: #a8402a; }
@media (prefers-color-scheme: dark) { :root { --ink: #f1ece6; --soft: #b0a79d; --paper: #161412; --brick: #ef8a68; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 32rem; padding: 2rem; }
svg { width: 3rem; color: var(--brick); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .75rem 0; }
p { margin: .5rem 0; }
small { color: var(--soft); }
`;

/** Style element in one piece: the page's policy names the digest of exactly this text. */
const styleElement: Html = { html: `<style>${style}</style>` };

export const preparingHeaders = headersOfStyledPage(style);

export function preparingPage(language: "pt" | "en"): string {
  const { preparing: texts } = panelPages[language];
  const page = html`<!doctype html>
    <html lang="${texts.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="refresh" content="${retryAfterSeconds}" />
        <title>${texts.title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <rect x="2" y="4" width="9" height="6" rx="1" />
            <rect x="13" y="4" width="9" height="6" rx="1" />
            <rect x="7.5" y="12" width="9" height="8" rx="1" />
          </svg>
          <h1>${texts.title}</h1>
          <p>${texts.text}</p>
          <p><small>${texts.forOperators}</small></p>
        </main>
      </body>
    </html>`;
  return page.html;
}
