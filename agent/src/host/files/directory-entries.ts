/**
 * Reads the entries of a directory as they are requested: of a directory that a tenant filled, never all
 * entries are in memory at once.
 */

import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

/** Yields the entries; none when there is no such directory. Entries removed meanwhile do not hide others. */
export async function* entriesOf(directory: string): AsyncGenerator<Dirent, void, undefined> {
  const opened = await opendir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (opened !== undefined) yield* opened;
}
