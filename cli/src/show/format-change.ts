/** Shows what an entry of the activity changed, on one line. */

import type { ActivityEntry } from "@tijolo/protocol";
import { formatExtra } from "./format-extra.ts";
import { formatTime } from "./format.ts";
import type { Messages } from "../messages.ts";
import { findText } from "./find-text.ts";

/**
 * Returns `memória (MB): 256 → 512; …`. A value that was only before or is only after stands alone, and is
 * left out when it is empty.
 */
export function formatChange(
  { before, after }: Pick<ActivityEntry, "before" | "after">,
  messages: Messages,
): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const fields = names.flatMap((name) => {
    const sides = [before, after].flatMap((side) => (side !== null && name in side ? [side[name]] : []));
    const shown = [...new Set(sides.map((value) => formatValue(name, value, messages)))];
    if (shown.length === 1 && sides.every(isEmpty)) return [];
    return [`${findText(messages.account.fields, name) ?? name}: ${shown.join(" → ")}`];
  });
  return fields.join("; ");
}

function formatValue(name: string, value: unknown, { account, locale }: Messages): string {
  if (isEmpty(value)) return account.empty;
  if (typeof value !== "string") return formatExtra(value);
  if (name.endsWith("At") && !Number.isNaN(Date.parse(value))) return formatTime(Date.parse(value), locale);
  return findText(account.values, `${name} ${value}`) ?? value.replaceAll("\n", " ");
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
