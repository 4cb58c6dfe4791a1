/**
 * Measures what a process really holds: garbage that was not collected yet, and what the allocator keeps for
 * later, do not count.
 */

import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export async function retainedMb(): Promise<number> {
  // What ends with a finalizer is only gone with the second collection.
  for (let round = 0; round < 3; round++) {
    collect();
    await delay(10);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
