/**
 * Reads one variable of a `.env` file as `parseEnv` of Node does, in a browser too. A test compares the two.
 */

/** Returns name and value of a statement of `splitDotenv`; null for a blank one or a comment. */
export function readStatement(statement: string): { name: string; value: string } | null {
  const text = statement.replaceAll("\r", "");
  const equals = text.indexOf("=");
  if (text.startsWith("#") || equals < 1) return null;
  const name = trimmed(text.slice(0, equals)).replace(/^export\s+/, "");
  return { name, value: readValue(trimmed(text.slice(equals + 1))) };
}

function readValue(text: string): string {
  const [, quote, content = ""] = /^(["'`])((?:(?!\1)[^])*)\1/.exec(text) ?? [];
  if (quote !== undefined) return quote === '"' ? content.replaceAll("\\n", "\n") : content;
  return trimmed(text.split("#", 1).join(""));
}

/** Node takes away only these; other white space belongs to the value. */
function trimmed(text: string): string {
  return text.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
}
