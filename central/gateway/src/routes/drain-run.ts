/** Drains a run that is about to be stopped for the next one. */

import { setTimeout as delay } from "node:timers/promises";
import { defaultDrainSeconds, type Drain } from "@tijolo/protocol";
import type { Haproxy } from "../haproxy/haproxy.ts";
import type { RouteMap } from "./route-map.ts";

/** Pauses between two looks at the visits under way: most are over soon. */
const pollMs = { first: 20, later: 200, laterAfter: 2_000 };

/** Sends the run no new visits, and waits until those under way are over, at the latest for the drain's time. */
export async function drainRun(
  { map, haproxy }: { map: RouteMap; haproxy: Haproxy },
  { projectId, runNumber, seconds = defaultDrainSeconds.hold, hasStreams = false }: Drain,
): Promise<void> {
  await map.beginDrain(projectId, runNumber, seconds * 1000);
  const beganMs = performance.now();
  const passedMs = () => performance.now() - beganMs;
  while (passedMs() < seconds * 1000) {
    const underWay = await haproxy.visitsOf(projectId, runNumber);
    const left = underWay.visits + (hasStreams ? underWay.streams : 0);
    if (left === 0 && !haproxy.hasPredecessor) return;
    await delay(passedMs() < pollMs.laterAfter ? pollMs.first : pollMs.later);
  }
}
