/** Parses variables of a `.env` file: as Node does, and the values that only a comment of ours can hold. */

import { parseEnv } from "node:util";
import { jsonMark } from "./format-dotenv.ts";
import { splitDotenv } from "./split-dotenv.ts";

/**
 * Parses the variables. A later line of the same name wins; lines that cannot be read are left out. Node sees
 * one variable at a time: after `A= ` it would take the next line for the value, and it keeps the `export` of
 * an empty one.
 */
export function parseDotenv(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const statement of splitDotenv(text).statements) {
    for (const [name, value] of Object.entries(parseEnv(statement)))
      variables.set(name.replace(/^export\s+/, ""), value ?? "");
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
