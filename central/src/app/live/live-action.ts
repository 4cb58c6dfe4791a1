/** Names what a project's host has under way, for a person who watches. */

import {
  actionInProgress,
  statusOf,
  type DesiredRun,
  type LiveAction,
  type ObservedState,
} from "@tijolo/protocol";

/**
 * Returns the action in progress; null when there is none. `before` is what was last shown: a restart stays a
 * restart until the run is up, although its second half looks like a start.
 */
export function liveActionOf(
  desired: DesiredRun,
  observed: ObservedState | null,
  before: LiveAction | null,
): LiveAction | null {
  const status = statusOf(desired, observed);
  if (status === "creating" || status === "installing") return "installing";
  switch (actionInProgress(desired, observed)) {
    case "stop":
      return "stopping";
    case "start":
      return before === "restarting" || (observed !== null && isUp(observed)) ? "restarting" : "starting";
    case null:
      return null;
  }
}

/** True while there is a run that a restart ends, or one that comes back by itself. */
function isUp({ phase, servingVersion }: ObservedState): boolean {
  return phase === "running" || phase === "stopping" || phase === "waiting" || servingVersion !== null;
}
