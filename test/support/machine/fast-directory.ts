/** Chooses where tests keep files that are synced often. */

import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Directory in memory, where Linux has it mounted. */
export const memoryDirectory = "/dev/shm";

/** Type of a tmpfs in the result of statfs(2). */
const tmpfsType = 0x0102_1994;
const freeBytes = 2 * 1024 ** 3;

/**
 * Returns a directory in memory where there is room, otherwise the directory of temporary files: a disk that
 * all test files share stalls each sync for seconds, and with it the one event loop of a whole cluster. What
 * a power cut leaves on a disk is shown in `test/real`.
 */
export function fastDirectory(): string {
  try {
    const { type, bavail, bsize } = statfsSync(memoryDirectory);
    return type === tmpfsType && bavail * bsize >= freeBytes ? memoryDirectory : tmpdir();
  } catch {
    return tmpdir();
  }
}
