/** One page of a log, out of what its host sends. */

import type { HostLogItem, LogGap, LogLine } from "@tijolo/protocol";

export interface LogPage {
  /** Oldest first. */
  lines: LogLine[];
  /** Where lines were dropped among them, oldest first. */
  gaps: LogGap[];
  /** Continues after the page, past the gaps in it too; null when nothing came. */
  nextCursor: string | null;
  /** What is older than the page lies before it; null when nothing of that matches. */
  previousCursor: string | null;
}

const maxGaps = 1000;

/**
 * Ends with the items, or with the line or the gap that is enough: a host that sends more than it was asked
 * for is not heard out.
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
