/**
 * The entries of a directory, read as they are asked for: of one that a tenant filled, never all are held at
 * once.
 */

import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

/**
 * None where there is no such directory. Entries that are taken out of it meanwhile keep no other from being
 * found.
 */
export async function* entriesOf(directory: string): AsyncGenerator<Dirent, void, undefined> {
  const opened = await opendir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (opened !== undefined) yield* opened;
}
