/**
 * Follows a project's log from a cursor on: first the existing lines, then the new ones, in batches that are
 * read only when requested.
 */

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { logSections } from "../writer/log-files.ts";
import { ForwardHead } from "./forward-head.ts";
import { CursorEncoder, type LogCursor } from "../reading/log-cursor.ts";
import type { LogFilter, LogItem } from "../log-line.ts";
import { lineFilter } from "../reading/log-page.ts";
import { isWanted, logSources, sourceDirectory } from "../reading/log-source.ts";
import { StreamWatch } from "./stream-watch.ts";
import { VersionMarks } from "./version-marks.ts";

const batchLines = 2_000;
const batchCharacters = 256 * 1024;
/** Milliseconds for which lines are gathered under a steady flow, so that not each costs a round. */
const gatherMs = 5;
/** Milliseconds after a line's time until it is in its file. */
const writtenWithinMs = 1_000;

export interface LogFollowStart {
  projectDirectory: string;
  cursor: LogCursor;
  /**
   * Numbers of lost delivered lines, of each of {@link logSources}; reported as gaps before the next line.
   */
  lost: readonly number[];
  filter: LogFilter;
  /** True to end once read. Default: it waits for more. */
  endsWhenRead?: boolean | undefined;
}

/**
 * Follows the log. Ends without an error when `signal` aborts, also while no batch is requested; then its
 * watches and files are closed. It ends too once the filter's `until` has passed and the existing lines have
 * been read.
 */
export async function* followLog(
  start: LogFollowStart,
  signal: AbortSignal,
): AsyncGenerator<LogItem[], void, undefined> {
  if (signal.aborted) return;
  const sources = logSources.filter((source) => isWanted(source, start.filter));
  const heads = sources.map(
    (source) =>
      new ForwardHead(
        source,
        sourceDirectory(start.projectDirectory, source),
        start.cursor.delivered[source.index] ?? 0,
      ),
  );
  const watch = new StreamWatch(sources.map((source) => sourceDirectory(start.projectDirectory, source)));
  const closeHeads = () => Promise.all(heads.map((head) => head.close()));
  const onAbort = () => {
    watch.close();
    void closeHeads();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const merge = new ForwardMerge(start, heads, watch);
    let lastBatchAt = 0;
    let isLast = start.endsWhenRead === true;
    while (!signal.aborted) {
      if (!isLast && hasPassed(start.filter)) {
        isLast = true;
        for (const head of heads) watch.putBack(head.directory); // whether or not the last change has been noticed
      }
      watch.rearm();
      const batch = await merge.next(signal);
      if (signal.aborted) return;
      if (batch.length > 0) {
        yield batch;
        lastBatchAt = performance.now();
      } else if (isLast) {
        return;
      } else {
        await watch.changed();
        if (performance.now() - lastBatchAt < gatherMs) await delay(gatherMs);
      }
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    watch.close();
    await closeHeads();
  }
}

/** True when every line that the filter lets through is in its file. */
export function hasPassed({ until }: LogFilter): boolean {
  return until !== undefined && Date.now() > until.getTime() + writtenWithinMs;
}

/** Merges the streams' lines in the order of time; the order within each stream is unchanged. */
class ForwardMerge {
  #heads: ForwardHead[];
  #cursors: CursorEncoder;
  #marks: Map<string, VersionMarks>;
  #matches: ReturnType<typeof lineFilter>;
  #watch: StreamWatch;
  /** Dropped lines of each requested stream that have yet to be reported. */
  #lost: { source: number; droppedLines: number }[];

  constructor(
    { projectDirectory, cursor, lost, filter }: LogFollowStart,
    heads: ForwardHead[],
    watch: StreamWatch,
  ) {
    this.#heads = heads;
    this.#watch = watch;
    this.#cursors = new CursorEncoder(cursor);
    this.#marks = new Map(
      logSections.map((section) => [section, new VersionMarks(join(projectDirectory, section))]),
    );
    this.#matches = lineFilter(filter);
    this.#lost = heads
      .map(({ source: { index } }) => ({ source: index, droppedLines: lost[index] ?? 0 }))
      .filter((each) => each.droppedLines > 0);
  }

  /** Returns the next batch; empty when there is nothing for now. */
  async next(signal: AbortSignal): Promise<LogItem[]> {
    const batch: LogItem[] = [];
    let characters = 0;
    let live = this.#heads;
    while (batch.length < batchLines && characters < batchCharacters) {
      for (const head of live) {
        if (signal.aborted) return [];
        if (head.hasLine || !this.#watch.take(head.directory)) continue;
        if (!(await head.fill())) continue;
        this.#watch.putBack(head.directory); // perhaps not all: it is looked at again once these are taken
        await this.#marks.get(head.source.section)?.refresh();
      }
      live = live.filter((head) => head.hasLine);
      if (live.length === 0) break;
      // Until a stream has to be read on, choosing among them needs no waiting.
      for (;;) {
        let pick = live[0];
        for (const head of live) if (pick === undefined || head.atMs < pick.atMs) pick = head;
        if (pick === undefined) break;
        characters += this.#take(pick, batch);
        pick.advance();
        if (!pick.hasLine || batch.length >= batchLines || characters >= batchCharacters) break;
      }
    }
    return batch;
  }

  /** Returns how many characters it put into the batch. */
  #take(head: ForwardHead, batch: LogItem[]): number {
    const { source, number, atMs, text, droppedLines } = head;
    for (const lost of this.#lost.splice(0)) {
      const cursor = this.#cursors.advance(lost.source, this.#cursors.delivered[lost.source] ?? 0);
      batch.push({ type: "gap", cursor, at: new Date(atMs), droppedLines: lost.droppedLines });
    }
    if (droppedLines > 0) {
      const cursor = this.#cursors.advance(source.index, number - 1);
      batch.push({ type: "gap", cursor, at: new Date(atMs), droppedLines });
    }
    const cursor = this.#cursors.advance(source.index, number);
    if (!this.#matches(head)) return 0;
    const version = this.#marks.get(source.section)?.versionOf(source.name, number) ?? 0;
    batch.push({
      type: "line",
      cursor,
      at: new Date(atMs),
      section: source.section,
      stream: source.stream,
      version,
      text,
    });
    return text.length;
  }
}
