/** Identifies this boot of the machine. */

import { readFile } from "node:fs/promises";
import { exec } from "./exec.ts";

/** Returns an id that changes with each boot; processes recorded under another id no longer run. */
export async function readBootId(): Promise<string> {
  if (process.platform === "darwin")
    return (await exec(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"])).stdout.trim();
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}
