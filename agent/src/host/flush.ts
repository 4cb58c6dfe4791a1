/** Writing to the disk what the kernel still holds in memory: only that survives a power cut. */

import { exec } from "./exec.ts";

const flushTimeoutMs = 60_000;

/** Of the whole file system that `path` is on. */
export async function flushFileSystem(path: string): Promise<void> {
  await exec(["sync", "--file-system", "--", path], { timeoutMs: flushTimeoutMs });
}
