/** Renders the Markdown that the API description uses: paragraphs, lists, tables, code and bold. */

import { html, type Html } from "./html.ts";
import { table } from "./table.ts";

export function markdown(text: string): Html {
  return html`${text.split(/\n{2,}/).map(block)}`;
}

function block(text: string): Html {
  const lines = text.split("\n");
  if (lines.every((line) => line.startsWith("- ")))
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  if (lines.every((line) => line.startsWith("|"))) return tableOf(lines);
  return html`<p>${inline(text)}</p>`;
}

function tableOf([head = "", _rule, ...rows]: string[]): Html {
  const cells = (row: string) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  return table(
    cells(head).map(inline),
    rows.map(
      (row) =>
        html`<tr>
          ${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}
        </tr>`,
    ),
  );
}

export function inline(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${pieces.map((piece) => {
    if (piece.startsWith("`") && piece.length > 2) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith("**") && piece.length > 4) return html`<strong>${piece.slice(2, -2)}</strong>`;
    return piece;
  })}`;
}
