/**
 * Says which version of a project serves, and whether the wanted one has come up, by what its host observed.
 */

import type { ObservedState } from "@tijolo/protocol";

/**
 * Returns the version that runs, or that comes back by itself after a crash; null when there is none. For an
 * older agent, which does not report it, the phase decides.
 */
export function servingVersionOf(observed: ObservedState | null): number | null {
  if (observed === null) return null;
  const isUp = observed.phase === "running" || observed.phase === "waiting";
  return observed.servingVersion ?? (isUp ? observed.versionNumber : null);
}

/** True while an earlier version than this one serves: what runs then has settings of its own. */
export function servesEarlier(
  observed: Pick<ObservedState, "servingVersion"> | null,
  versionNumber: number,
): boolean {
  const serving = observed?.servingVersion ?? null;
  return serving !== null && serving < versionNumber;
}

/** True when the newest run has come up; an agent that does not report it says so by its phase. */
export function hasComeUp({ hasComeUp: isReported, servingVersion, phase }: ObservedState): boolean {
  return isReported || (servingVersion === null && phase === "running");
}
