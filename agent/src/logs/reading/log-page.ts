/**
 * Reads the newest lines of a project's log, or of what lies before a cursor, in the order of time, backwards
 * and only as far as needed.
 */

import { join } from "node:path";
import { BackwardLines } from "./backward-lines.ts";
import { CursorEncoder, encodeCursor } from "./log-cursor.ts";
import type { LogFilter, LogLine, LogPageQuery } from "../log-line.ts";
import { isWanted, logSources, sourceDirectory, type LogSource } from "./log-source.ts";
import { lineText, lineTimeReader } from "../line-stamp.ts";
import { VersionMarks } from "../following/version-marks.ts";

export interface LogPage {
  /** Lines, oldest first. */
  lines: LogLine[];
  /** Cursor that continues after the page, past every line that existed then, or lay before the cursor. */
  nextCursor: string;
  /** Cursor before which everything older lies; null when nothing older matches, or unless requested. */
  previousCursor: string | null;
  /** `nextCursor` as numbers. */
  delivered: number[];
}

/**
 * Milliseconds before `since` down to which a stream is read back, as a clock that was set back leaves newer
 * lines before older ones.
 */
const clockStepMs = 60 * 60 * 1000;

interface PageLine {
  source: LogSource;
  number: number;
  atMs: number;
  text: string;
}

/** `before` is the last line of each of {@link logSources} that the page may have; null for all. */
export async function readLogPage(
  projectDirectory: string,
  { logId, before }: { logId: string; before: readonly number[] | null },
  query: Omit<LogPageQuery, "before">,
): Promise<LogPage> {
  const heads: BackwardHead[] = [];
  try {
    for (const source of logSources) {
      heads.push(
        new BackwardHead(
          source,
          await BackwardLines.open(sourceDirectory(projectDirectory, source), before?.[source.index]),
        ),
      );
    }
    const newest = [...(before ?? heads.map((head) => head.position))];
    const { found, hasOlder } = await takeNewest(
      heads.filter((head) => isWanted(head.source, query)),
      query,
    );
    const previousCursor = hasOlder
      ? encodeCursor({ logId, delivered: heads.map((head) => head.position) })
      : null;
    return { ...(await toPage(projectDirectory, { logId, newest, found })), previousCursor };
  } finally {
    for (const head of heads) await head.close();
  }
}

/**
 * Takes the newest line. `hasOlder`: one more line matches and is at its head; searched for where it was
 * requested.
 */
async function takeNewest(
  heads: BackwardHead[],
  query: Omit<LogPageQuery, "before">,
): Promise<{ found: PageLine[]; hasOlder: boolean }> {
  const found: PageLine[] = [];
  const sought = query.tellsPrevious === true ? query.lines + 1 : query.lines;
  const matches = lineFilter(query);
  const oldestMs = query.since === undefined ? Number.NEGATIVE_INFINITY : query.since.getTime() - clockStepMs;
  let live = heads;
  while (found.length < sought) {
    for (const head of live) await head.fill();
    live = live.filter((head) => head.line !== null && head.line.atMs >= oldestMs);
    // Until a stream has to be read on, choosing among them needs no waiting.
    while (live.length > 0) {
      let pick = live[0];
      for (const head of live) if (isNewer(head.line, pick?.line)) pick = head;
      const line = pick?.line ?? null;
      if (pick === undefined || line === null) break;
      if (matches(line)) found.push(line);
      if (found.length > query.lines) break;
      pick.advance();
      if (found.length === sought || pick.line === null || pick.line.atMs < oldestMs) break;
    }
    if (live.length === 0) break;
  }
  const hasOlder = found.length > query.lines;
  if (hasOlder) found.pop();
  return { found: found.reverse(), hasOlder };
}

/** Compares times; of equal times, the later source's line is the newer. */
function isNewer(line: PageLine | null, than: PageLine | null | undefined): boolean {
  if (line === null) return false;
  return than === null || than === undefined || line.atMs >= than.atMs;
}

/** Returns whether a line matches the query. */
export function lineFilter(query: LogFilter): (line: { atMs: number; text: string }) => boolean {
  const sinceMs = query.since?.getTime() ?? Number.NEGATIVE_INFINITY;
  const untilMs = query.until?.getTime() ?? Number.POSITIVE_INFINITY;
  const q = query.q?.toLowerCase() ?? "";
  return ({ atMs, text }) =>
    atMs >= sinceMs && atMs < untilMs && (q === "" || text.toLowerCase().includes(q));
}

async function toPage(
  projectDirectory: string,
  { logId, newest, found }: { logId: string; newest: number[]; found: PageLine[] },
): Promise<Omit<LogPage, "previousCursor">> {
  // What is older than the page's first line of a stream is left out for good; so is a stream without any.
  const delivered = [...newest];
  for (const line of found.toReversed()) delivered[line.source.index] = line.number - 1;
  const cursors = new CursorEncoder({ logId, delivered });
  const marks = new Map(
    logSources.map(({ section }) => [section, new VersionMarks(join(projectDirectory, section))]),
  );
  for (const section of marks.values()) await section.refresh();
  const lines = found.map(({ source, number, atMs, text }) => ({
    cursor: cursors.advance(source.index, number),
    at: new Date(atMs),
    section: source.section,
    stream: source.stream,
    version: marks.get(source.section)?.versionOf(source.name, number) ?? 0,
    text,
  }));
  return { lines, nextCursor: encodeCursor({ logId, delivered: newest }), delivered: newest };
}

/** Holds one stream's newest line that has not been taken yet. */
class BackwardHead {
  readonly source: LogSource;
  line: PageLine | null = null;
  #reader: BackwardLines;
  #lines: string[] = [];
  #last: number;
  #isAtEnd = false;
  #timeOf = lineTimeReader();
  #atMs = 0;
  #hasOwnTime = true;

  constructor(source: LogSource, reader: BackwardLines) {
    this.source = source;
    this.#last = reader.newest;
    this.#reader = reader;
  }

  /** Number of the newest line that has not been taken. */
  get position(): number {
    return this.line?.number ?? this.#last;
  }

  /** Reads on when no line is at hand. */
  async fill(): Promise<void> {
    if (this.line !== null || this.#isAtEnd) return;
    const chunk = await this.#reader.read();
    this.#isAtEnd = chunk === null;
    this.#lines = chunk?.lines ?? [];
    this.#last = chunk?.last ?? this.#last;
    this.advance();
  }

  advance(): void {
    const raw = this.#lines.pop();
    if (raw === undefined) {
      this.line = null;
      return;
    }
    const atMs = this.#timeOf(raw);
    const hasOwnTime = !Number.isNaN(atMs);
    if (hasOwnTime) this.#atMs = atMs;
    else if (this.#hasOwnTime) this.#atMs = this.#timeBefore() ?? this.#atMs;
    this.#hasOwnTime = hasOwnTime;
    this.line = { source: this.source, number: this.#last, atMs: this.#atMs, text: lineText(raw, atMs) };
    this.#last -= 1;
  }

  /**
   * Returns the same time as when the log is followed, so that a line without a time has one place, wherever
   * reading begins.
   */
  #timeBefore(): number | undefined {
    const raw = this.#lines.findLast((line) => !Number.isNaN(this.#timeOf(line)));
    return raw === undefined ? undefined : this.#timeOf(raw);
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }
}
