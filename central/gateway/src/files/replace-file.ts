/** Writes files that a crash leaves whole. */

import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces the file; the old contents stay until the new ones are safe on the disk. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const partial = `${path}.new`;
  await rm(partial, { force: true });
  {
    await using file = await open(partial, "wx", 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(partial, path);
  await using directory = await open(dirname(path), "r");
  await directory.sync();
}
