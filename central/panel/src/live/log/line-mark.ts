/** Names a line in an address: its time, and a number made of its text. Pure. */

import { timeOf, type LogEntry, type LogLine } from "./log-buffer.ts";

export function markOf({ at, stream, text }: LogLine): string {
  return `${at}~${shortHash(`${stream} ${text}`)}`;
}

/** The time that a mark names; null for what is no mark. */
export function momentOf(mark: string | undefined): string | null {
  const [at = ""] = (mark ?? "").split("~");
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Key of the marked line among the entries; null when it is not there. */
export function findMarked(entries: readonly LogEntry[], mark: string | undefined): number | null {
  if (mark === undefined) return null;
  const found = entries.find(
    (entry) => entry.kind === "line" && mark.startsWith(entry.line.at) && markOf(entry.line) === mark,
  );
  return found?.key ?? null;
}

/** Key of the first entry at this moment or after it, otherwise of the last; null without entries. */
export function findMoment(entries: readonly LogEntry[], moment: string): number | null {
  return (entries.find((entry) => timeOf(entry) >= moment) ?? entries.at(-1))?.key ?? null;
}

/** FNV-1a; it only tells lines of the same millisecond apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
