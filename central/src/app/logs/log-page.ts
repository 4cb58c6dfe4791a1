/** Builds one page of a log from what its host sends. */

import type { HostLogItem, LogGap, LogLine } from "@tijolo/protocol";

export interface LogPage {
  /** Lines, oldest first. */
  lines: LogLine[];
  /** Places where lines were dropped among them, oldest first. */
  gaps: LogGap[];
  /** Cursor that continues after the page, past the gaps in it too; null when nothing came. */
  nextCursor: string | null;
  /** Cursor before which everything older than the page lies; null when nothing of that matches. */
  previousCursor: string | null;
}

const maxGaps = 1000;

/**
 * Collects items until they end, or until the line or the gap that is enough: the rest of a host that sends
 * more than requested is not read.
 */
export async function collectPage(
  batches: AsyncIterable<readonly HostLogItem[]>,
  maxLines: number,
): Promise<LogPage> {
  const page: LogPage = { lines: [], gaps: [], nextCursor: null, previousCursor: null };
  for await (const batch of batches) {
    for (const item of batch) {
      if (item.kind === "previous") {
        page.previousCursor = item.cursor;
        continue;
      }
      if (page.lines.length >= maxLines || page.gaps.length >= maxGaps) return page;
      if (item.kind === "line") page.lines.push(item.line);
      else page.gaps.push({ at: item.at, droppedLines: item.droppedLines });
      page.nextCursor = item.cursor;
    }
  }
  return page;
}
