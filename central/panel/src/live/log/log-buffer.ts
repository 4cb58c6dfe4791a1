/** The lines of a log that the panel holds, in order and bounded. Pure. */

import type { OperationAnswer } from "@tijolo/protocol/client";

export interface LogLine {
  at: string;
  section: string;
  stream: string;
  version: number;
  text: string;
}

interface LogGap {
  at: string;
  droppedLines: number;
}

/** A page as the server answers it. */
export interface LogPage {
  lines: LogLine[];
  gaps: LogGap[];
}

type ProjectStatus = OperationAnswer<"getProject">["project"]["status"];

/**
 * What stands in the log: a line, a place where lines were lost, or a change of the project's status. `cursor`,
 * where it is known: the entry and all before it lie before that cursor, everything else after it.
 */
export type NewEntry = { cursor?: string } & (
  | { kind: "line"; line: LogLine }
  | ({ kind: "gap" } & LogGap)
  | { kind: "status"; at: string; status: ProjectStatus }
);
export type LogEntry = NewEntry & { key: number };

/** Entries that are kept; of more, the oldest go. */
export const mostEntries = 50_000;

export interface LogBuffer {
  entries: readonly LogEntry[];
  /** Key of the next newer entry; older ones count down from the first. */
  nextKey: number;
  /** Cursor before which the server has more; null when the first entry here is its first, too. */
  older: string | null;
}

export const emptyBuffer: LogBuffer = { entries: [], nextKey: 0, older: null };

/** Adds what came after everything that is there. */
export function withNewer(buffer: LogBuffer, added: readonly NewEntry[]): LogBuffer {
  if (added.length === 0) return buffer;
  const keyed = added.map((entry, index) => ({ ...entry, key: buffer.nextKey + index }));
  const entries = [...buffer.entries, ...keyed];
  const nextKey = buffer.nextKey + added.length;
  if (entries.length <= mostEntries) return { ...buffer, entries, nextKey };
  // It is cut behind an entry with a cursor, from which what goes now can be read again.
  const least = entries.length - mostEntries;
  const last = entries.findIndex(({ cursor }, index) => index >= least - 1 && cursor !== undefined);
  if (last === -1) return { entries: entries.slice(least), nextKey, older: null };
  return { entries: entries.slice(last + 1), nextKey, older: entries[last]?.cursor ?? null };
}

/** Adds a page of what came before everything that is there: the page before `older`, which ends there. */
export function withOlder(buffer: LogBuffer, added: readonly NewEntry[], previous: string | null): LogBuffer {
  if (buffer.entries.length + added.length > mostEntries) return buffer;
  const first = buffer.entries[0]?.key ?? buffer.nextKey;
  const keyed = added.map((entry, index) => ({
    ...entry,
    ...(index === added.length - 1 && buffer.older !== null ? { cursor: buffer.older } : {}),
    key: first - added.length + index,
  }));
  return { ...buffer, entries: [...keyed, ...buffer.entries], older: previous };
}

/** True when a whole page of older entries has no room. */
export function isFull({ entries }: LogBuffer, pageLength: number): boolean {
  return entries.length + pageLength > mostEntries;
}

/** Puts the gaps of a page between its lines, by their time; `cursor` is the page's end. */
export function entriesOf({ lines, gaps }: LogPage, cursor: string | null = null): NewEntry[] {
  const entries: NewEntry[] = [];
  const open = [...gaps];
  for (const line of lines) {
    while (open[0] !== undefined && open[0].at <= line.at) entries.push(gapEntry(open));
    entries.push({ kind: "line", line });
  }
  while (open.length > 0) entries.push(gapEntry(open));
  const last = entries.at(-1);
  if (last !== undefined && cursor !== null) last.cursor = cursor;
  return entries;
}

function gapEntry(open: LogGap[]): NewEntry {
  const { at = "", droppedLines = 0 } = open.shift() ?? {};
  return { kind: "gap", at, droppedLines };
}

/** When it was. */
export function timeOf(entry: NewEntry): string {
  return entry.kind === "line" ? entry.line.at : entry.at;
}
