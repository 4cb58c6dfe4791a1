/** Reads variables from a `.env` file: as Node does, and the values that only a comment of ours can hold. */

import { parseEnv } from "node:util";
import { jsonMark } from "./format-dotenv.ts";

/** A later line of the same name wins. */
export function parseDotenv(text: string): Map<string, string> {
  const plain = text.replace(/^\uFEFF/, "");
  const variables = new Map(Object.entries(parseEnv(plain)).map(([name, value]) => [name, value ?? ""]));
  for (const line of plain.split("\n")) {
    if (!line.startsWith(jsonMark)) continue;
    const [, name, json] = /^(\w+)=(".*")\s*$/s.exec(line.slice(jsonMark.length)) ?? [];
    const value = json === undefined ? undefined : parseJson(json);
    if (name !== undefined && typeof value === "string") variables.set(name, value);
  }
  return variables;
}

/** A comment that looks like ours and is not. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
