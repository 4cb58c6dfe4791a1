/**
 * Makes /app without overlayfs: the files of a version's layers are copied into the directory that the
 * project writes to.
 *
 * A list beside the directory remembers which files were laid, and how they looked then. A file that still
 * looks so is the layers' and goes with them; any other is the project's own and stays. For a new version its
 * files win over the project's own of the same name, as `uncover` has it for overlays; the same version laid
 * again (a new install) leaves the project's own files alone.
 */

import { constants } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

export interface Laying {
  /** Layers, topmost first. */
  layers: readonly string[];
  versionNumber: number;
  /** Path of the list; its directory exists. */
  listFile: string;
}

/**
 * Path as `filesBelow` returns it. Without isolation the project can write the list too: a path must lead to
 * no place outside.
 */
const laidPath = z
  .string()
  .refine((path) => path.split("/").every((part) => !["", ".", ".."].includes(part)));

const laidList = z.object({
  versionNumber: z.int(),
  /** Layers that were laid; empty while the list's files are being laid. */
  layers: z.array(z.string()),
  /**
   * Mark of each path once laid; "" for a file that may be half laid; any other text for one that the project
   * deleted.
   */
  files: z.record(laidPath, z.string()),
});
type LaidList = z.infer<typeof laidList>;

/**
 * Lays the files of the layers into `directory`. Idempotent, also after a kill at any moment. Must be called
 * only while nothing of the project runs in `directory`.
 */
export async function layFiles(
  directory: string,
  { layers, versionNumber, listFile }: Laying,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const laid = await readList(listFile);
  if (
    laid !== undefined &&
    laid.versionNumber === versionNumber &&
    laid.layers.join("\n") === layers.join("\n")
  )
    return;
  const sources = await mergedFiles(layers);
  const isNewCode = laid?.versionNumber !== versionNumber;
  const deleted = new Set<string>();
  for (const [path, mark] of Object.entries(laid?.files ?? {})) {
    const now = await markOf(join(directory, path));
    if (now === undefined && mark !== "" && !isNewCode) deleted.add(path);
    else if (now !== undefined && (mark === "" || now === mark)) await removeFile(directory, path);
  }
  const wanted = isNewCode
    ? [...sources.keys()]
    : (await missing(directory, sources.keys())).filter((path) => !deleted.has(path));
  const underWay = {
    versionNumber: laid?.versionNumber ?? 0,
    layers: [],
    files: Object.fromEntries(wanted.map((path) => [path, ""])),
  };
  await writeList(listFile, underWay);
  const files: Record<string, string> = Object.fromEntries([...deleted].map((path) => [path, "deleted"]));
  for (const path of wanted) {
    const source = sources.get(path);
    if (source === undefined) continue;
    await makeWay(directory, path);
    await copyEntry(source, join(directory, path));
    files[path] = (await markOf(join(directory, path))) ?? "";
  }
  await writeList(listFile, { versionNumber, layers: [...layers], files });
}

/** Copies the layers into a new directory. Returns the mark of each file there. */
export async function copyLayers(layers: readonly string[], directory: string): Promise<Map<string, string>> {
  await mkdir(directory, { recursive: true });
  const marks = new Map<string, string>();
  for (const [path, source] of await mergedFiles(layers)) {
    await makeWay(directory, path);
    await copyEntry(source, join(directory, path));
    marks.set(path, (await markOf(join(directory, path))) ?? "");
  }
  return marks;
}

/**
 * Moves what is new or differs from `marks` out of `directory` into `target`. A layer of files cannot
 * represent deletions.
 */
export async function moveChanges(
  directory: string,
  marks: ReadonlyMap<string, string>,
  target: string,
): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const path of await filesBelow(directory)) {
    if ((await markOf(join(directory, path))) === marks.get(path)) continue;
    await mkdir(dirname(join(target, path)), { recursive: true });
    await rename(join(directory, path), join(target, path));
  }
}

/**
 * Maps each path to its file; the topmost layer's if several have it. An empty directory counts as a file.
 */
async function mergedFiles(layers: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const directories = new Set<string>();
  for (const layer of layers) {
    for (const path of await filesBelow(layer)) {
      // A file hides a lower layer's directory of its name, and a directory a file.
      const parents = parentsOf(path);
      if (files.has(path) || directories.has(path) || parents.some((parent) => files.has(parent))) continue;
      files.set(path, join(layer, path));
      for (const parent of parents) directories.add(parent);
    }
  }
  return files;
}

/** Returns the parent directories, nearest first. */
function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) parents.push(parent);
  return parents;
}

/** Returns the relative paths of all files, links and empty directories; follows no link. */
async function filesBelow(directory: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(directory, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && below === "") return null;
      throw error;
    },
  );
  if (entries === null) return [];
  if (entries.length === 0 && below !== "") return [below];
  const paths: string[] = [];
  for (const entry of entries) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) for (const inner of await filesBelow(directory, path)) paths.push(inner);
    else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
  }
  return paths;
}

/** Returns a mark of a file's state: inode, time and size. Undefined when there is none. */
async function markOf(path: string): Promise<string | undefined> {
  const stats = await lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  return stats.isDirectory()
    ? "directory"
    : `${stats.ino} ${stats.mtimeNs} ${stats.size} ${stats.mode.toString(8)}`;
}

async function missing(directory: string, paths: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths)
    if ((await markOf(join(directory, path))) === undefined && !(await isBlocked(directory, path)))
      found.push(path);
  return found;
}

/**
 * True when something of the project's own that is no directory stands where one of the path's directories
 * would be.
 */
async function isBlocked(directory: string, path: string): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const mark = await markOf(join(directory, parent));
    if (mark !== undefined) return mark !== "directory";
  }
  return false;
}

/** Makes the path's directories, in place of whatever else has their name, and removes the path's own. */
async function makeWay(directory: string, path: string): Promise<void> {
  for (const parent of parentsOf(path).toReversed()) {
    const mark = await markOf(join(directory, parent));
    if (mark === "directory") continue;
    if (mark !== undefined) await rm(join(directory, parent), { force: true });
    await mkdir(join(directory, parent));
  }
  await rm(join(directory, path), { recursive: true, force: true });
}

async function copyEntry(source: string, target: string): Promise<void> {
  const stats = await lstat(source);
  if (stats.isDirectory()) {
    await mkdir(target);
  } else if (stats.isSymbolicLink()) {
    await symlink(await readlink(source), target);
  } else {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await utimes(target, stats.atime, stats.mtime);
  }
}

/** Removes the file and the directories that are empty then. */
async function removeFile(directory: string, path: string): Promise<void> {
  const full = join(directory, path);
  await rm(full, { force: true }).catch(() => rmdir(full).catch(() => {})); // an empty directory; one with own files stays
  for (const parent of parentsOf(path)) {
    const isEmpty = await rmdir(join(directory, parent)).then(
      () => true,
      () => false,
    );
    if (!isEmpty) return;
  }
}

/** Returns the list; undefined when there is none that can be read. */
async function readList(file: string): Promise<LaidList | undefined> {
  try {
    return laidList.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

async function writeList(file: string, list: LaidList): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(list));
  await rename(`${file}.new`, file);
}
