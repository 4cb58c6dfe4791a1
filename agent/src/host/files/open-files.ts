/**
 * Makes files and directories that others than the agent's user read: containers, package scripts in a build,
 * other programs of the host. All other files are closed by the program's umask.
 */

import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the directory, and those above it that are missing, for all to enter and list. */
export async function makeOpenDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  for (let at = path; first !== undefined; at = dirname(at)) {
    await chmod(at, 0o755);
    if (at === first) return;
  }
}

export async function writeOpenFile(
  path: string,
  content: string | Uint8Array,
  mode: 0o644 | 0o755 = 0o644,
): Promise<void> {
  await writeFile(path, content);
  await chmod(path, mode);
}
