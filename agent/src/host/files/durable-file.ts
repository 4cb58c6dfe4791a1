/** Writes a small file that is believed as it stands: whole or not there, also after a power cut. */

import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** The old contents stay until the new ones are on the disk. */
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
