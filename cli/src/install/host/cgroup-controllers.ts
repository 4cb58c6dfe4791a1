/** Reads the controllers of cgroup v2 that the machine has, and compares them with what containers need. */

import { readFile } from "node:fs/promises";

const needed = ["memory", "cpu", "pids"];

/** Returns the names of the controllers; all that are needed are missing where there is no cgroup v2. */
export async function readControllers(): Promise<{ found: string[]; missing: string[] }> {
  const text = await readFile("/sys/fs/cgroup/cgroup.controllers", "utf8").catch(() => "");
  const found = text.split(/\s+/).filter((name) => name !== "");
  return { found, missing: needed.filter((name) => !found.includes(name)) };
}
