/** Writes a small file so that it is complete or missing, also after a power cut; readers need no check. */

import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes the file; the old contents stay until the new ones are on the disk. */
export async function writeDurably(
  path: string,
  text: string,
  { mode = 0o600 }: { mode?: number } = {},
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    await using file = await open(draft, "wx", mode);
    await file.writeFile(text);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await using directory = await open(dirname(path), "r");
  await directory.sync();
}
