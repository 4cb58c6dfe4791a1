/**
 * Splits a `.env` file into its variables, and finds the lines that a parser would skip, or read with a
 * part missing or a quote too many.
 */

export interface UnreadableLine {
  /** Number of the line, from 1. */
  number: number;
  problem: "notKeyValue" | "openQuote" | "afterQuote";
}

/**
 * A blank line, a comment, or a variable: with a value in quotes, of one or more lines and followed by at
 * most a comment, or a bare one.
 */
const statement =
  /[ \t\r]*(?:|#[^\n]*|[^\s=#][^\n=#]*=(?:[ \t\r]*(?<quote>["'`])(?:(?!\k<quote>)[^])*\k<quote>[ \t\r]*(?:#[^\n]*)?|(?![ \t\r]*["'`])[^\n]*))(?:\n|$)/y;

/** Matches the beginning of a line that opens a value in quotes. */
const quotedValue = /^[ \t\r]*[^\s=#][^\n=#]*=[ \t\r]*(?<quote>["'`])/;

/** Splits the text. Text that `formatDotenv` wrote has no unreadable line. */
export function splitDotenv(text: string): { statements: string[]; unreadable: UnreadableLine[] } {
  const plain = text.replace(/^\uFEFF/, "");
  const statements: string[] = [];
  const unreadable: UnreadableLine[] = [];
  let at = 0;
  let number = 1;
  while (at < plain.length) {
    statement.lastIndex = at;
    const end = plain.indexOf("\n", at);
    const line = plain.slice(at, end === -1 ? undefined : end);
    const read = statement.exec(plain)?.[0];
    if (read === undefined) unreadable.push({ number, problem: problemOf(line) });
    else statements.push(read.trim());
    number += read === undefined ? 1 : read.split("\n").length - 1;
    at += read?.length ?? line.length + 1;
  }
  return { statements, unreadable };
}

function problemOf(line: string): UnreadableLine["problem"] {
  const begun = quotedValue.exec(line);
  if (begun === null) return "notKeyValue";
  return line.includes(begun.groups?.["quote"] ?? "", begun[0].length) ? "afterQuote" : "openQuote";
}
