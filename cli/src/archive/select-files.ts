/** Chooses the files of a folder on the disk that belong to an upload, without links out of it. */

import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import {
  selectFiles as selectFrom,
  type EntryKind,
  type Folder,
  type Selection as SelectionOf,
} from "@tijolo/protocol/ignore";

export interface SelectedFile {
  /** Path relative to the folder, with `/`. */
  name: string;
  /** Path where its content is read. */
  path: string;
  sizeBytes: number;
}

export type Selection = SelectionOf<SelectedFile>;

/** Selects the files; `needed` as in `protocol/src/selection/select-files.ts`. */
export async function selectFiles(directory: string, needed: readonly string[] = []): Promise<Selection> {
  return await selectFrom(folderAt(await realpath(directory)), needed);
}

function folderAt(root: string): Folder<SelectedFile> {
  return {
    list: async (path) => {
      const entries = await readdir(join(root, path), { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    readText: (path) => readFile(join(root, path), "utf8").catch(() => ""), // most folders have none
    kindOf: async (path, links) => {
      const found = links === "followed" ? stat(join(root, path)) : lstat(join(root, path));
      return await found.then(kindOf, () => null);
    },
    fileAt: (path) => fileAt(root, path),
  };
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(found: Kinds): EntryKind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "other";
}

/** Returns a file; for a link to a file inside the folder a copy of that file, for any other null. */
async function fileAt(root: string, name: string): Promise<SelectedFile | null> {
  const path = join(root, name);
  const stats = await lstat(path);
  if (stats.isFile()) return { name, path, sizeBytes: stats.size };
  try {
    const target = await realpath(path);
    const inside = relative(root, target);
    const found = await stat(target);
    const isInside = inside !== ".." && !inside.startsWith(`..${sep}`);
    return found.isFile() && isInside ? { name, path: target, sizeBytes: found.size } : null;
  } catch {
    return null; // a link to nothing
  }
}
