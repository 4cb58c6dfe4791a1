/** Says when a domain is checked, and for how long a missing proof is borne. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A domain that is not proven within this time fails. */
export const provenWithinMs = 7 * dayMs;
/** An active domain whose proof is gone for this long: its owner is notified. */
export const missingNotedAfterMs = 7 * dayMs;
/** An active domain whose proof is gone for this long fails. */
export const missingEndsAfterMs = 30 * dayMs;

const firstChecksMs = [0, minuteMs, 5 * minuteMs, 15 * minuteMs];

/** Returns the time of the next check of a pending domain; null when there is none any more. */
export function nextPendingCheck(createdAt: number, now: number): number | null {
  const age = now - createdAt;
  if (age >= provenWithinMs) return null;
  const first = firstChecksMs.find((ms) => ms > age);
  return first === undefined ? now + hourMs : createdAt + first;
}
