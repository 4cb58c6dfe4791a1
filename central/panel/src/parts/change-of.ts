/** Says what an entry of the activity changed, as "memória (MB): 256 → 512; …". */

import type { ActivityEntry } from "@tijolo/protocol/client";
import { dateTime } from "../formats/formats.ts";

interface ChangeWords {
  empty: string;
  fields: Readonly<Record<string, string>>;
  /** By field and value, as `level read`. */
  values: Readonly<Record<string, string>>;
}

/** Values of a list that are named; a key may have all of two dozen permissions. */
const mostListed = 4;

/** A value that was only before or is only after stands alone, and is left out when it is empty. */
export function changeOf(
  { before, after }: Pick<ActivityEntry, "before" | "after">,
  words: ChangeWords,
): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const fields = names.flatMap((name) => {
    const sides = [before, after].flatMap((side) => (side !== null && name in side ? [side[name]] : []));
    if (sides.every(isEmpty)) return [];
    const shown = [...new Set(sides.map((value) => shownValue(name, value, words)))];
    return [`${words.fields[name] ?? name}: ${shown.join(" → ")}`];
  });
  return fields.join("; ");
}

function shownValue(name: string, value: unknown, words: ChangeWords): string {
  if (isEmpty(value)) return words.empty;
  if (Array.isArray(value)) return listed(value.map(String));
  if (typeof value !== "string") return JSON.stringify(value);
  if (name.endsWith("At") && !Number.isNaN(Date.parse(value))) return dateTime(value);
  return words.values[`${name} ${value}`] ?? value;
}

/** "a, b, c (+22)": of a long list the first few, and how many there are besides. */
function listed(values: readonly string[]): string {
  const first = values.slice(0, values.length > mostListed + 1 ? mostListed : values.length);
  const more = values.length - first.length;
  return first.join(", ") + (more === 0 ? "" : ` (+${more})`);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
