/** Decides when an order of a certificate is tried again, and when a certificate is renewed. */

import type { Random } from "../../clock.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Pauses after the first, second, … failure in a row; the last one repeats. */
const pausesMs = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs];
/** Time between two questions for the window of renewal, when the authority does not say. */
const askEveryMs = 6 * hourMs;
const shortestAskMs = minuteMs;
const longestAskMs = dayMs;

/** Most failures of one name within {@link failureWindowMs}: authorities block names that fail more often. */
export const maxFailuresPerName = 4;
export const failureWindowMs = hourMs;
/** Most first certificates of sites within {@link siteWindowMs}: Let's Encrypt gives a domain 50 a week. */
export const maxSiteIssues = 40;
export const siteWindowMs = 7 * dayMs;

/** Returns the time of the next try after so many failures in a row. */
export function nextTryAt(
  now: number,
  { failures, retryAt }: { failures: number; retryAt: number | null },
): number {
  const pauseMs = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? minuteMs;
  return Math.max(now + pauseMs, retryAt ?? 0);
}

/**
 * Returns a random moment of the authority's window, so that not all certificates of the world are renewed at
 * once; for one that ends before the window does, at nine tenths of its life.
 */
export function momentOf(
  window: { beginsAt: number; endsAt: number },
  life: { beginsAt: number; endsAt: number },
  random: Random,
): number {
  const share = Buffer.from(random(6)).readUIntBE(0, 6) / 2 ** 48;
  const moment = window.beginsAt + (window.endsAt - window.beginsAt) * share;
  return Math.min(moment, life.beginsAt + (life.endsAt - life.beginsAt) * 0.9);
}

/** Returns when the authority is asked again for its window. */
export function nextAskAt(now: number, askAt: number | null): number {
  if (askAt === null) return now + askEveryMs;
  return Math.min(Math.max(askAt, now + shortestAskMs), now + longestAskMs);
}
