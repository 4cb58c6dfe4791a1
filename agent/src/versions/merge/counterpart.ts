/** Makes, below one directory, the directories that lead to the same place below another. */

import { mkdir, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { freeName } from "./free-name.ts";
import { copyRights, holdDirectory, within, type EntryName } from "./held-directory.ts";

/**
 * Calls `work` with the directory at `path` below `from`, and with the same directory below `to`. Directories
 * that are missing below `to` are made, with owner and mode of their counterparts. Follows no link.
 */
export async function withCounterpart(
  from: FileHandle,
  to: FileHandle,
  [name, ...rest]: readonly EntryName[],
  work: (from: FileHandle, to: FileHandle) => Promise<void>,
): Promise<void> {
  if (name === undefined) return work(from, to);
  await using source = await holdDirectory(within(from, name));
  if (source === undefined) throw new Error("a directory was swapped while its contents were moved");
  await using target = await makeCounterpart(source, to, name);
  await withCounterpart(source, target, rest, work);
}

/** Opens the directory that stands for `source` in `parent`; makes it where it is missing. */
export async function makeCounterpart(
  source: FileHandle,
  parent: FileHandle,
  name: EntryName,
): Promise<FileHandle> {
  const free = await freeName(parent, name, (taken) => taken === null || taken.isDirectory());
  const made = await holdMade(within(parent, free));
  try {
    if (await isUnfinished(made)) await copyRights(source, made);
    return made;
  } catch (cause) {
    await made.close();
    throw cause;
  }
}

/** Opens the directory; makes it, and the one above it, where they are missing. */
export async function holdMade(path: string | Buffer): Promise<FileHandle> {
  if (typeof path === "string") await mkdirOnce(dirname(path));
  await mkdirOnce(path);
  const held = await holdDirectory(path);
  if (held === undefined) throw new Error("a directory was swapped when it had been made");
  return held;
}

async function mkdirOnce(path: string | Buffer): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** True for a directory that an agent has just made, or was killed when it had made it. */
async function isUnfinished(directory: FileHandle): Promise<boolean> {
  const { uid, mode } = await directory.stat();
  return uid === process.getuid?.() && (mode & 0o7777) === 0o700;
}
