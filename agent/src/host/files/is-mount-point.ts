/** Tells whether another file system begins at a directory. */

import { stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns false for a directory that does not exist, and for a bind of the same file system. */
export async function isMountPoint(directory: string): Promise<boolean> {
  const [own, parent] = await Promise.all(
    [directory, dirname(directory)].map((path) => stat(path).catch(() => null)),
  );
  return own != null && parent != null && own.dev !== parent.dev;
}
