/** Says whether an earlier version serves in the place of the wanted one. */

import type { ObservedState } from "@tijolo/protocol";

/** True while an earlier version than this one serves: what runs then has settings of its own. */
export function servesEarlier(
  observed: Pick<ObservedState, "servingVersion"> | null,
  versionNumber: number,
): boolean {
  const serving = observed?.servingVersion ?? null;
  return serving !== null && serving < versionNumber;
}
