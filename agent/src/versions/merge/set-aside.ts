/**
 * Moves what the program changed or made itself out of the way of new code, to the place where it is kept.
 */

import type { Stats } from "node:fs";
import { mkdir, rename, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { holdMade, withCounterpart } from "./counterpart.ts";
import { freeName } from "./free-name.ts";
import { holdDirectory, namesIn, within, type EntryName } from "./held-directory.ts";
import type { LazyDirectory } from "./lazy-directory.ts";
import { haveSameContents } from "./same-contents.ts";

/** Place to which a merge moves what the program changed. */
export interface Aside {
  /** Directory that it is moved to, under its own path; made when there is something to move. */
  set: string;
  /** Mark that is made before the first file is moved; whoever merges removes it at the end. */
  merging: string;
  /**
   * Code of the upload that was merged before, while it is still there. A file with the contents that this
   * upload brought is not one that the program changed, though overlayfs has copied it: that happens when a
   * program only opens it for writing, as SQLite opens each database.
   */
  earlier: string | undefined;
  /** Counts what was moved. */
  kept: number;
}

/** An entry of the project that new code has, too. */
export interface FoundEntry {
  /** The directory that has the entry, and the one of the set that stands for it. */
  directory: FileHandle;
  place: LazyDirectory;
  /** Path of the entry below /app. */
  path: string;
  name: string;
  stats: Stats;
}

/**
 * Moves the entry to the set, unless it holds nothing that the program changed: then returns false. A
 * directory is moved as it is, a link as a link.
 */
export async function setAside(aside: Aside, found: FoundEntry, newFile: string): Promise<boolean> {
  const earlier = aside.earlier === undefined ? [] : [join(aside.earlier, found.path)];
  if (!(await isOfProgram(found, [newFile, ...earlier]))) return false;
  await moveToFreeName(found.directory, await found.place.hold(), found.name);
  aside.kept++;
  return true;
}

/** Opens the set, and marks it as incomplete. */
export async function openSet({ set, merging }: Aside): Promise<FileHandle> {
  await mkdir(dirname(set), { recursive: true, mode: 0o700 });
  await writeFile(merging, "");
  return holdMade(set);
}

/** An entry by the names that lead to it. */
export interface PlacedEntry {
  root: FileHandle;
  parents: readonly EntryName[];
  name: EntryName;
}

/** Moves the entry to the same path in the set. */
export async function moveAside({ root, parents, name }: PlacedEntry, set: string): Promise<void> {
  await using kept = await holdMade(set);
  await withCounterpart(root, kept, parents, (from, to) => moveToFreeName(from, to, name));
}

/** Moves the entry; where its name is taken, to a free one beside it. */
async function moveToFreeName(from: FileHandle, to: FileHandle, name: EntryName): Promise<void> {
  const free = await freeName(to, name, (taken) => taken === null);
  await rename(within(from, name), within(to, free));
}

/** True when the entry has contents that differ from the files that uploads brought under its path. */
async function isOfProgram(
  { directory, name, stats }: FoundEntry,
  brought: readonly string[],
): Promise<boolean> {
  if (stats.isDirectory()) return !(await isEmptyDirectory(within(directory, name)));
  if (!stats.isFile()) return stats.isSymbolicLink(); // a fifo, a socket, or overlayfs's mark of a removal
  for (const path of brought) {
    if (await haveSameContents({ path: within(directory, name), sizeBytes: stats.size }, path)) return false;
  }
  return true;
}

async function isEmptyDirectory(path: string): Promise<boolean> {
  await using held = await holdDirectory(path);
  if (held === undefined) return false;
  for await (const _ of namesIn(held)) return false;
  return true;
}
