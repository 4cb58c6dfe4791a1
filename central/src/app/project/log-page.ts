/** One page of a log, out of its events. */

import type { LogEvent, LogGap, LogLine } from "@tijolo/protocol";

export interface LogPage {
  /** Oldest first. */
  lines: LogLine[];
  /** Where lines were dropped among them, oldest first. */
  gaps: LogGap[];
  /** Continues after the page, past the gaps in it too; null when nothing came. */
  nextCursor: string | null;
}

const maxGaps = 1000;

/** Ends with the events, or with the line or the gap that is enough: a host that sends more than it was asked for is not heard out. */
export async function collectPage(batches: AsyncIterable<readonly LogEvent[]>, maxLines: number): Promise<LogPage> {
  const page: LogPage = { lines: [], gaps: [], nextCursor: null };
  for await (const batch of batches) {
    for (const event of batch) {
      if (page.lines.length >= maxLines || page.gaps.length >= maxGaps) return page;
      if (event.event === "status") continue;
      if (event.event === "log") page.lines.push(event.data);
      else page.gaps.push(event.data);
      page.nextCursor = event.id ?? page.nextCursor;
    }
  }
  return page;
}
