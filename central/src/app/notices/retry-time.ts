/** Decides when a delivery that failed is tried again: at most five tries, within a day. */

const minuteMs = 60_000;
/** Pauses after the first, second, third and fourth try. */
const pausesMs = [minuteMs, 10 * minuteMs, 2 * 60 * minuteMs, 20 * 60 * minuteMs];
const mostMs = 24 * 60 * minuteMs;

/** True when a delivery has waited for too long, as after an outage of central. */
export function isTooOld({ createdAt }: { createdAt: number }, now: number): boolean {
  return now - createdAt > mostMs;
}

/** Returns the time of the next try, never before the receiver asked for; null when it was the last. */
export function nextTryAt(
  { tries, createdAt }: { tries: number; createdAt: number },
  { now, retryAfterMs }: { now: number; retryAfterMs: number },
): number | null {
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return null;
  const at = now + Math.max(pauseMs, retryAfterMs);
  return at - createdAt > mostMs ? null : at;
}
