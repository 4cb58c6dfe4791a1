/** Manages a project's uploads on disk, and merges new code with what the project wrote itself. */

import { constants } from "node:fs";
import {
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  type FileHandle,
} from "node:fs/promises";
import { join, sep } from "node:path";
import { entriesOf } from "../host/files/directory-entries.ts";
import { removeTree } from "../host/files/trees.ts";

export function versionDirectory(dataDirectory: string, projectId: string, versionNumber: number): string {
  return join(dataDirectory, "projects", projectId, "versions", String(versionNumber));
}

/**
 * Returns the folder of an upload's `code` that a static site serves; undefined where `root` leads out of it.
 * Code holds no links.
 */
export function servedDirectory(code: string, root: string): string | undefined {
  const directory = join(code, root);
  return directory === code || directory.startsWith(code + sep) ? directory : undefined;
}

/** Removes every version but those in use. */
export async function pruneVersions(
  dataDirectory: string,
  projectId: string,
  keep: readonly number[],
): Promise<void> {
  const directory = join(dataDirectory, "projects", projectId, "versions");
  for (const name of await readdir(directory).catch(() => [])) {
    if (!keep.includes(Number(name))) await removeTree(join(directory, name));
  }
}

/** Removes what an unfinished fetch, extraction or install has left of a version. */
export async function removeUnfinished(
  dataDirectory: string,
  projectId: string,
  versionNumber: number,
): Promise<void> {
  const directory = versionDirectory(dataDirectory, projectId, versionNumber);
  for await (const { name } of entriesOf(directory)) {
    if (name !== "code") await removeTree(join(directory, name));
  }
}

/**
 * Removes from `upper` (what the project wrote under /app) every file that `layer` has too, so that new code
 * wins; all else stays. Must be called only while nothing of the project runs. Each directory is held open
 * and worked on by that, never found again by its path: if one were swapped for a link all the same, it would
 * not lead outside.
 */
export async function uncover(layer: string, upper: string): Promise<void> {
  await using held = await holdDirectory(upper);
  if (held === undefined) return;
  const mark = `${upper}-renewing`;
  await takeBackMarked(held, mark);
  await uncoverIn(layer, held, { path: "", mark });
}

/** State of the merge. `path` is the directory below the whole upper one. `mark`: see {@link renew}. */
interface Uncovering {
  path: string;
  mark: string;
}

async function uncoverIn(layer: string, upper: FileHandle, { path, mark }: Uncovering): Promise<void> {
  for await (const entry of entriesOf(layer)) {
    const covering = within(upper, entry.name);
    if (entry.isDirectory()) await takeBack(upper, entry.name);
    const stats = await lstat(covering).catch(() => null);
    if (stats === null) continue;
    if (!entry.isDirectory() || !stats.isDirectory()) {
      await (stats.isDirectory() ? removeTree(covering) : unlink(covering));
      continue;
    }
    await using directory = await holdDirectory(covering);
    if (directory === undefined) continue;
    const below = { path: join(path, entry.name), mark };
    await uncoverIn(join(layer, entry.name), directory, below);
    await setMark(below);
    await renew(upper, entry.name, directory);
    await rm(mark, { force: true });
  }
}

/**
 * Replaces a directory that the project removed and made again, because it hides what lies below it; a new
 * one with the same contents does not.
 */
async function renew(parent: FileHandle, name: string, directory: FileHandle): Promise<void> {
  const path = within(parent, renewedName(name));
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    await removeTree(path);
    await mkdir(path);
  });
  await using renewed = await holdDirectory(path);
  if (renewed === undefined) throw new Error(`${name} was swapped while it was renewed`);
  for await (const { name: inner } of entriesOf(within(directory, "")))
    await rename(within(directory, inner), within(renewed, inner));
  const { uid, gid, mode } = await directory.stat();
  await renewed.chown(uid, gid);
  await renewed.chmod(mode & 0o7777);
  await rmdir(within(parent, name));
  await rename(path, within(parent, name));
}

/**
 * Marks the directory that is being renewed, so that an agent that finds the mark knows it, whatever
 * directories the code has that it merges. The mark is a link, whose target, unlike the contents of a file,
 * is never on the disk without its name.
 */
async function setMark({ path, mark }: Uncovering): Promise<void> {
  await rm(mark, { force: true });
  await symlink(path, mark).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENAMETOOLONG") throw error; // XFS: above 1023 bytes; then only code with the same directory has it taken back
  });
}

async function takeBackMarked(upper: FileHandle, mark: string): Promise<void> {
  const path = await readlink(mark).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (path === undefined) return;
  await takeBackBelow(upper, path.split("/"));
  await rm(mark);
}

/** Walks one name after the other, so that none is followed if it is a link. */
async function takeBackBelow(parent: FileHandle, [name = "", ...rest]: readonly string[]): Promise<void> {
  if (rest.length === 0) return takeBack(parent, name);
  await using directory = await holdDirectory(within(parent, name));
  if (directory !== undefined) await takeBackBelow(directory, rest);
}

/** Moves back what an agent that was killed while it renewed a directory had moved out of it. */
async function takeBack(parent: FileHandle, name: string): Promise<void> {
  const path = within(parent, renewedName(name));
  await using moved = await holdDirectory(path);
  if (moved === undefined) return;
  if ((await lstat(within(parent, name)).catch(() => null)) === null)
    return rename(path, within(parent, name));
  await using directory = await holdDirectory(within(parent, name));
  if (directory === undefined) return;
  for await (const { name: inner } of entriesOf(within(moved, ""))) {
    const isTaken = (await lstat(within(directory, inner)).catch(() => null)) !== null;
    if (!isTaken) await rename(within(moved, inner), within(directory, inner));
  }
  await removeTree(path);
}

function renewedName(name: string): string {
  return `${name}.tijolo-renewed`;
}

/** Opens the directory; undefined when there is none, or something else in its place. */
async function holdDirectory(path: string): Promise<FileHandle | undefined> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code ?? "")) return undefined;
      throw error;
    },
  );
}

/** Returns a path by way of the open directory itself; also for the programs that this process starts. */
function within(directory: FileHandle, name: string): string {
  return join(`/proc/${process.pid}/fd/${directory.fd}`, name);
}
