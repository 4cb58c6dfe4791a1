/** Brings back into the project's own layer what was requested, before the project starts. */

import type { Stats } from "node:fs";
import { lstat, rename, rmdir, unlink, type FileHandle } from "node:fs/promises";
import { makeCounterpart } from "./counterpart.ts";
import { findEntry, holdDirectory, namesIn, within, type EntryName } from "./held-directory.ts";
import { maxDepth } from "./replaced-set.ts";
import { moveAside } from "./set-aside.ts";

export interface BringingBack {
  /** Directory with what is to be brought back; removed at the end. */
  staging: string;
  /** Set that receives what the project now has under the same paths. */
  set: string;
  /** Directory of what the project wrote under /app. */
  upper: string;
  /** Layers below it. */
  layers: readonly string[];
}

/**
 * Moves everything from `staging` into `upper`; what stands there under the same path is moved to the set.
 * Returns false when there is nothing to bring back, or no place for it yet. Must be called only while
 * nothing of the project runs. Each entry is moved by one rename, so the next agent goes on where one was
 * killed, and nothing is twice or nowhere.
 */
export async function bringBack({ staging, set, upper, layers }: BringingBack): Promise<boolean> {
  await using from = await holdDirectory(staging);
  if (from === undefined) return false;
  await using into = await holdDirectory(upper);
  if (into === undefined) return false;
  await bringBackIn(from, into, {
    root: into,
    set,
    layers: layers.map((layer) => Buffer.from(layer)),
    path: [],
  });
  await rmdir(staging);
  return true;
}

interface Place {
  root: FileHandle;
  set: string;
  /** The directories of the layers that stand for this one. */
  layers: readonly Buffer[];
  path: readonly EntryName[];
}

async function bringBackIn(from: FileHandle, into: FileHandle, place: Place): Promise<void> {
  for await (const name of namesIn(from)) {
    const present = await findEntry(into, name);
    const layers = await foldersNamed(place.layers, name);
    const isMerged = present?.isDirectory() === true || layers.length > 0;
    await using folder =
      isMerged && place.path.length < maxDepth ? await holdDirectory(within(from, name)) : undefined;
    if (folder === undefined) {
      if (present !== null) await clear(into, name, present, place);
      await rename(within(from, name), within(into, name));
      continue;
    }
    // A directory that was moved as it is would hide what the layers have in it.
    if (present !== null && !present.isDirectory()) await clear(into, name, present, place);
    await using directory = await makeCounterpart(folder, into, name);
    await bringBackIn(folder, directory, { ...place, layers, path: [...place.path, name] });
    await rmdir(within(from, name));
  }
}

/** Makes room for an entry: keeps what has contents, and removes a mark of overlayfs, a fifo or a socket. */
async function clear(
  directory: FileHandle,
  name: EntryName,
  present: Stats,
  { root, set, path }: Place,
): Promise<void> {
  const hasContents = present.isFile() || present.isDirectory() || present.isSymbolicLink();
  await (hasContents ? moveAside({ root, parents: path, name }, set) : unlink(within(directory, name)));
}

async function foldersNamed(layers: readonly Buffer[], name: Buffer): Promise<Buffer[]> {
  const folders: Buffer[] = [];
  for (const layer of layers) {
    const path = Buffer.concat([layer, Buffer.from("/"), name]);
    const stats = await lstat(path).catch(() => null);
    if (stats?.isDirectory() === true) folders.push(path);
  }
  return folders;
}
