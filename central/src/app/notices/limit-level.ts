/**
 * Decides when a use has reached another share of its limit, so that a use that swings around one leads to
 * one notice.
 */

import { noticePercents, type NoticePercent } from "@tijolo/protocol";

/** Percentage points by which a use must fall below a share before the share leads to another notice. */
const fallPoints = 5;

/**
 * Returns the highest share that the use has reached, or had reached and has not fallen {@link fallPoints}
 * below; 0 for none. A higher level than before leads to a notice.
 */
export function limitLevel(before: NoticePercent | 0, usedPercent: number): NoticePercent | 0 {
  const holds = (share: NoticePercent) =>
    usedPercent >= share || (share <= before && usedPercent > share - fallPoints);
  return noticePercents.findLast(holds) ?? 0;
}

/** Returns the use in percent of the limit, rounded down; 0 for a project without a limit. */
export function percentOf(used: number, limit: number): number {
  return limit > 0 ? Math.floor((used * 100) / limit) : 0;
}
