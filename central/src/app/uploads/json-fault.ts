/**
 * Finds the place where a text stops being JSON, for the person who wrote it. For many faults, V8's own
 * message does not name the place.
 */

export interface JsonFault {
  /** Line and column are counted from 1, as editors do; a column is a character. */
  line: number;
  column: number;
  kind: JsonFaultKind;
}

export type JsonFaultKind = "comment" | "trailing_comma" | "quotes" | "unquoted" | "end" | "other";

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** State of the reading: what may come next. */
type Next = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end" | "nothing";

/** Returns the first fault; null when there is none. The text is read once, without recursion. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ("{" | "[")[] = [];
  let next: Next = "value";
  let last = "";
  let offset = 0;
  for (;;) {
    offset = endOf(space, text, offset);
    const end = endOf(token, text, offset);
    const found = text.slice(offset, end);
    if (found === "" && offset === text.length && next === "nothing") return null;
    const after: Next | undefined = found === "" ? undefined : step(next, found, open);
    if (after === undefined)
      return { ...placeOf(text, offset), kind: kindOf(text.slice(offset, offset + 2), { next, last }) };
    next = after;
    last = found;
    offset = end;
  }
}

/** Returns the state after a token, keeping what is open; undefined when the token may not stand there. */
function step(next: Next, found: string, open: ("{" | "[")[]): Next | undefined {
  const rest = (): Next => (open.length === 0 ? "nothing" : "comma or end");
  const mayEnd = next === "value or end" || next === "name or end" || next === "comma or end";
  if (found === "}" || found === "]") {
    const isFitting =
      open.at(-1) === (found === "}" ? "{" : "[") &&
      next !== (found === "}" ? "value or end" : "name or end");
    if (!mayEnd || !isFitting) return undefined;
    open.pop();
    return rest();
  }
  if (found === ":") return next === "colon" ? "value" : undefined;
  if (found === ",") {
    if (next !== "comma or end") return undefined;
    return open.at(-1) === "{" ? "name" : "value";
  }
  if (next === "name" || next === "name or end") return found.startsWith('"') ? "colon" : undefined;
  if (next !== "value" && next !== "value or end") return undefined;
  if (found !== "{" && found !== "[") return rest();
  open.push(found);
  return found === "{" ? "name or end" : "value or end";
}

function kindOf(rest: string, { next, last }: { next: Next; last: string }): JsonFaultKind {
  if (rest === "") return "end";
  if (rest === "//" || rest === "/*" || rest.startsWith("#")) return "comment";
  if (last === "," && /^[}\]]/.test(rest)) return "trailing_comma";
  if (/^['`\u2018-\u201f]/.test(rest)) return "quotes";
  const mayBeText = next !== "colon" && next !== "comma or end" && next !== "nothing";
  return mayBeText && /^[\p{L}_$]/u.test(rest) ? "unquoted" : "other";
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? "").length + 1 };
}

/** Returns where the match from `offset` on ends; `offset` itself without one. */
function endOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}
