/** Parses variables of a `.env` file: as Node does, and the values that only a comment of ours can hold. */

import { jsonMark } from "./format-dotenv.ts";
import { readStatement } from "./read-statement.ts";
import { splitDotenv } from "./split-dotenv.ts";

/**
 * Parses the variables. A later line of the same name wins; lines that cannot be read are left out. Unlike in
 * Node, a variable ends with its line: after `A= ` Node would take the next line for the value.
 */
export function parseDotenv(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const statement of splitDotenv(text).statements) {
    const read = readStatement(statement);
    if (read !== null) variables.set(read.name, read.value);
    if (!statement.startsWith(jsonMark)) continue;
    const [, name, json] = /^(\w+)=(".*")\s*$/s.exec(statement.slice(jsonMark.length)) ?? [];
    const value = json === undefined ? undefined : parseJson(json);
    if (name !== undefined && typeof value === "string") variables.set(name, value);
  }
  return variables;
}

/** Returns undefined for a comment that looks like ours and is not. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
