/**
 * Opens directories that a tenant filled, and works in them through their open descriptors, not by their
 * paths: a directory that is swapped for a link meanwhile does not lead outside.
 */

import { constants, type Stats } from "node:fs";
import { lstat, open, opendir, type FileHandle } from "node:fs/promises";

/** A name as the kernel has it; a tenant's name need not be UTF-8. */
export type EntryName = string | Buffer;

/** Opens the directory; undefined when there is none, or something else in its place. */
export async function holdDirectory(path: string | Buffer): Promise<FileHandle | undefined> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (isAbsence(error) || error.code === "ELOOP") return undefined;
      throw error;
    },
  );
}

/** Returns a path by way of the open directory itself; also for the programs that this process starts. */
export function within(directory: FileHandle, name: string): string;
export function within(directory: FileHandle, name: EntryName): string | Buffer;
export function within(directory: FileHandle, name: EntryName): string | Buffer {
  const path = `/proc/${process.pid}/fd/${directory.fd}/`;
  return typeof name === "string" ? `${path}${name}` : Buffer.concat([Buffer.from(path), name]);
}

/** Returns what has the name in the directory, following no link; null where there is nothing. */
export async function findEntry(directory: FileHandle, name: EntryName): Promise<Stats | null> {
  return lstat(within(directory, name)).catch((error: NodeJS.ErrnoException) => {
    if (isAbsence(error)) return null;
    throw error;
  });
}

/** Yields the names in the directory, as bytes. Entries removed meanwhile do not hide others. */
export async function* namesIn(directory: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  // Latin-1 has a character for each byte, and so loses none.
  const entries = await opendir(within(directory, ""), { encoding: "latin1" });
  for await (const { name } of entries) yield Buffer.from(name, "latin1");
}

/** Gives a directory that the agent made the owner and the mode of its counterpart. */
export async function copyRights(from: FileHandle, to: FileHandle): Promise<void> {
  const { uid, gid, mode } = await from.stat();
  await to.chown(uid, gid);
  await to.chmod(mode & 0o7777);
}

function isAbsence({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}
