/** Parses moments as people write them on a command line. */

import { UsageError } from "../command-failure.ts";
import type { Messages } from "../messages.ts";
import { parseSpan } from "./parse-span.ts";

/**
 * Parses a time: `2h` is two hours ago; a date without a zone is in this computer's. Returns ISO 8601, UTC.
 */
export function readTime(
  text: string | undefined,
  option: string,
  { nowMs, messages }: { nowMs: number; messages: Messages },
): string | undefined {
  if (text === undefined) return undefined;
  const agoMs = parseSpan(text);
  const atMs = agoMs === undefined ? parseDate(text) : nowMs - agoMs;
  if (Number.isNaN(atMs)) throw new UsageError(messages.errors.badTime(option));
  return new Date(atMs).toISOString();
}

/** Parses a date strictly, because JavaScript takes a day alone as UTC, and many other texts as dates. */
function parseDate(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T00:00`);
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
