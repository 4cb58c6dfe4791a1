/** Tells this boot of the machine from any other. */

import { readFile } from "node:fs/promises";

/** Changes with each boot; what was recorded under another id cannot run any more. */
export async function readBootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}
