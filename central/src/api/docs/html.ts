/** Text as HTML: values put into a template are escaped unless they are HTML themselves. */

export interface Html {
  readonly html: string;
}

export type HtmlPart = Html | string | number | readonly HtmlPart[] | null;

export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return {
    html: strings
      .map((text, index) => text + (index < parts.length ? render(parts[index] ?? null) : ""))
      .join(""),
  };
}

function render(part: HtmlPart): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return "html" in part ? part.html : part.map(render).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
