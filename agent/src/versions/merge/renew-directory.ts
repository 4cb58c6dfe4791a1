/**
 * Replaces a directory in the project's own layer by a new one with the same contents, and brings back what
 * an agent that was killed meanwhile had moved out of it.
 */

import { mkdir, readlink, rename, rm, rmdir, symlink, type FileHandle } from "node:fs/promises";
import { removeTree } from "../../host/files/trees.ts";
import { copyRights, findEntry, holdDirectory, namesIn, within } from "./held-directory.ts";

/**
 * Replaces a directory that the project removed and made again, because it hides what lies below it; a new
 * one with the same contents does not.
 */
export async function renewDirectory(parent: FileHandle, name: string, directory: FileHandle): Promise<void> {
  const path = within(parent, renewedName(name));
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    await removeTree(path);
    await mkdir(path);
  });
  await using renewed = await holdDirectory(path);
  if (renewed === undefined) throw new Error(`${name} was swapped while it was renewed`);
  for await (const inner of namesIn(directory))
    await rename(within(directory, inner), within(renewed, inner));
  await copyRights(directory, renewed);
  await rmdir(within(parent, name));
  await rename(path, within(parent, name));
}

/**
 * Marks the directory that is being renewed, so that an agent that finds the mark knows it, whatever
 * directories the code has that it merges. The mark is a link, whose target, unlike the contents of a file,
 * is never on the disk without its name.
 */
export async function setMark(mark: string, path: string): Promise<void> {
  await rm(mark, { force: true });
  await symlink(path, mark).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENAMETOOLONG") throw error; // XFS: above 1023 bytes; then only code with the same directory has it taken back
  });
}

/** Takes back what was moved out of the directory that the mark names. */
export async function takeBackMarked(upper: FileHandle, mark: string): Promise<void> {
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
export async function takeBack(parent: FileHandle, name: string): Promise<void> {
  const path = within(parent, renewedName(name));
  await using moved = await holdDirectory(path);
  if (moved === undefined) return;
  if ((await findEntry(parent, name)) === null) return await rename(path, within(parent, name));
  await using directory = await holdDirectory(within(parent, name));
  if (directory === undefined) return;
  for await (const inner of namesIn(moved)) {
    if ((await findEntry(directory, inner)) === null)
      await rename(within(moved, inner), within(directory, inner));
  }
  await removeTree(path);
}

function renewedName(name: string): string {
  return `${name}.tijolo-renewed`;
}
