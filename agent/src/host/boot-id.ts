/** Tells this boot of the machine from any other. */

import { readFile } from "node:fs/promises";
import { exec } from "./exec.ts";

/** Changes with each boot; what was recorded under another id cannot run any more. */
export async function readBootId(): Promise<string> {
  if (process.platform === "darwin")
    return (await exec(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"])).stdout.trim();
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}
