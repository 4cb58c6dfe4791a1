/**
 * Measures what a process really holds: garbage that was not collected yet, and what the allocator keeps for
 * later, do not count.
 */

import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all that nothing refers to, and what only a finalizer kept: that is gone with the second round. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    collect();
    await delay(10);
  }
}

export async function retainedMb(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
