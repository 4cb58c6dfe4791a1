/** Writes variables as a `.env` file that restores exactly the same values. */

import { readStatement } from "./read-statement.ts";

/**
 * Mark before a JSON text, for the values that no quoting of the format can hold (a carriage return, all
 * three quotes at once): other readers see a comment and no value, never a wrong one.
 */
export const jsonMark = "#tijolo ";

export function formatDotenv(variables: Iterable<readonly [string, string]>): string {
  return [...variables].map(([name, value]) => `${formatVariable(name, value)}\n`).join("");
}

/** Formats one variable, without the line's end. */
export function formatVariable(name: string, value: string): string {
  const quoted = quotings(value).find((text) => isReadBack(name, text, value));
  return quoted === undefined ? `${jsonMark}${name}=${JSON.stringify(value)}` : `${name}=${quoted}`;
}

/**
 * Returns the possible quotings, the plainest first. Single quotes keep `$`, `#` and `\` as they are in every
 * dialect of the format.
 */
function quotings(value: string): string[] {
  const quoted = ["'", '"', "`"]
    .filter((quote) => !value.includes(quote))
    .map((quote) => quote + value + quote);
  return /^[\w./:@%+,=-]*$/.test(value) ? [value, ...quoted] : quoted;
}

function isReadBack(name: string, text: string, value: string): boolean {
  if (!value.isWellFormed() || value.includes(`\n${jsonMark}`)) return false;
  const read = readStatement(`${name}=${text}`);
  return read?.name === name && read.value === value;
}
