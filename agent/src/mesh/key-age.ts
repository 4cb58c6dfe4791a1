/** Decides when this host's key gives way to another one. */

const dayMs = 24 * 3_600_000;
const longestMs = 30 * dayMs;
/** Part of the 30 days in which hosts that joined together change their keys one after the other. */
const spreadMs = 5 * dayMs;

/**
 * Returns when a key is to be changed: as planned, or within 25 to 30 days where nothing is planned, or for a
 * time so far away that the clock must have been set back. `fraction` is from 0 to below 1.
 */
export function keyChangeAt(plannedMs: number | null, nowMs: number, fraction: () => number): number {
  if (plannedMs !== null && plannedMs - nowMs <= longestMs) return plannedMs;
  return nowMs + longestMs - Math.floor(fraction() * spreadMs);
}
