/** Decides which share of a limit an owner was last told of, so that a use that swings is told of once. */

import { noticePercents, type NoticePercent } from "@tijolo/protocol";

/** Points by which a use must fall below a share before it is told of again. */
const fallPoints = 5;

/**
 * Returns the highest share that is reached, or that was told of and not left by {@link fallPoints}; 0 for
 * none. A higher level than before is worth a notice.
 */
export function limitLevel(before: NoticePercent | 0, usedPercent: number): NoticePercent | 0 {
  const holds = (share: NoticePercent) =>
    usedPercent >= share || (share <= before && usedPercent > share - fallPoints);
  return noticePercents.findLast(holds) ?? 0;
}

/** Returns the use in whole points, never more than it is; a project without a limit uses none of it. */
export function percentOf(used: number, limit: number): number {
  return limit > 0 ? Math.floor((used * 100) / limit) : 0;
}
