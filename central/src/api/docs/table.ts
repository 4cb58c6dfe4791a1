import { html, type Html, type HtmlPart } from "./html.ts";

/** Renders a table that scrolls sideways by itself. `rows` are its `<tr>`s. */
export function table(heads: readonly HtmlPart[], rows: readonly Html[]): Html {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
