/**
 * Finds out whether the kernel keeps projects from lowering their `oom_score_adj`, which decides who is
 * killed when memory runs out.
 */

import { readFile } from "node:fs/promises";
import type { LaxSetting } from "../checks/check-host.ts";

/** Number of CAP_SYS_RESOURCE (capabilities(7)). */
const sysResource = 24n;

/**
 * Returns what is wrong, or undefined. The kernel accepts the value that the supervisor gives a container for
 * the lowest that is allowed in it only when the supervisor has CAP_SYS_RESOURCE, which it inherits from the
 * agent.
 */
export async function findLowOomFloor({ statusFile = "/proc/self/status" } = {}): Promise<
  LaxSetting | undefined
> {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile(statusFile, "utf8"))?.[1] ?? "0";
  if ((BigInt(`0x${effective}`) >> sysResource) & 1n) return undefined;
  return {
    news: { code: "low_oom_floor" },
    problem:
      "A project can lower its oom_score_adj to that of the host's own programs, so that these may be killed in its place when memory runs out: the agent has no CAP_SYS_RESOURCE.",
    howToFix:
      "CapabilityBoundingSet=CAP_SYS_RESOURCE (one more line in the agent's unit of systemd), or --cap-add=SYS_RESOURCE (where the agent runs in a container)",
  };
}
