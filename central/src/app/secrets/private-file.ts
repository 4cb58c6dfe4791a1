/** Writes a file of central's own that nobody else may read, and that a crash leaves whole. */

import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** The old contents stay until the new ones are safe on the disk. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const partial = `${path}.new`;
  await rm(partial, { force: true });
  const file = await open(partial, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
