/** A project's uploads on disk, and how new code meets what the project wrote itself. */

import type { Dirent } from "node:fs";
import { chmod, chown, lstat, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";

export function versionDirectory(dataDirectory: string, projectId: string, versionNumber: number): string {
  return join(dataDirectory, "projects", projectId, "versions", String(versionNumber));
}

/** Removes every version but those in use. */
export async function pruneVersions(dataDirectory: string, projectId: string, keep: readonly number[]): Promise<void> {
  const directory = join(dataDirectory, "projects", projectId, "versions");
  for (const name of await readdir(directory).catch(() => [])) {
    if (!keep.includes(Number(name))) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Removes what a fetch, an extraction or an install that did not come to its end has left of a version. */
export async function removeUnfinished(dataDirectory: string, projectId: string, versionNumber: number): Promise<void> {
  const directory = versionDirectory(dataDirectory, projectId, versionNumber);
  for (const { name } of await entriesOf(directory)) {
    if (name !== "code") await rm(join(directory, name), { recursive: true, force: true });
  }
}

/**
 * Takes out of `upper` (what the project wrote under /app) every file that `layer` has too, so that new code wins;
 * all else stays. Only while nothing of the project runs: nobody may swap a directory for a link meanwhile.
 */
export async function uncover(layer: string, upper: string): Promise<void> {
  for (const entry of await entriesOf(layer)) {
    const covering = join(upper, entry.name);
    const stats = await lstat(covering).catch(() => null);
    if (stats === null) continue;
    if (!entry.isDirectory() || !stats.isDirectory()) {
      await rm(covering, { recursive: true, force: true });
      continue;
    }
    await uncover(join(layer, entry.name), covering);
    await renew(covering, stats);
  }
}

/** A directory that the project removed and made again hides what lies below it; a new one with the same contents does not. */
async function renew(directory: string, stats: { uid: number; gid: number; mode: number }): Promise<void> {
  const renewed = `${directory}.tijolo-renewed`;
  await rm(renewed, { recursive: true, force: true });
  await mkdir(renewed);
  for (const { name } of await entriesOf(directory)) await rename(join(directory, name), join(renewed, name));
  await chown(renewed, stats.uid, stats.gid);
  await chmod(renewed, stats.mode & 0o7777);
  await rmdir(directory);
  await rename(renewed, directory);
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
