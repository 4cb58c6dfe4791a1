/**
 * Copies what a build has made into a directory of the agent's own, from which the site is served: regular
 * files alone, so that nothing a build leaves behind leads out of it.
 */

import { constants, createWriteStream } from "node:fs";
import { mkdir, open, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { entriesOf } from "../host/files/directory-entries.ts";
import { directoriesBelow } from "./overlay-directories.ts";
import { isServedName } from "./served-names.ts";

export interface SiteSources {
  /** Layers of /app, topmost first; the upload is the last. Nothing runs in them any more. */
  layers: readonly string[];
  /** Path of the served folder in them; "" for all. */
  folder: string;
  /** Path of the directory to make; its parent exists. */
  target: string;
}

export interface SiteBounds {
  files: number;
  bytes: number;
  /** Depth of nested folders. */
  depth: number;
}

export const defaultSiteBounds: SiteBounds = { files: 50_000, bytes: 4 * 1024 ** 3, depth: 60 };

/** Thrown when a site is larger than its bounds. */
export class SiteTooLargeError extends Error {
  override name = "SiteTooLargeError";
}

/** Bytes of a folder's path that leave room for a name in it. */
const longestPath = 3_000;
/** Files up to this size are copied in one piece. */
const smallBytes = 1024 * 1024;

/** Returns the number of files that were copied; undefined when the folder is not there. */
export async function composeSite(
  { layers, folder, target }: SiteSources,
  signal: AbortSignal,
  bounds: SiteBounds = defaultSiteBounds,
): Promise<number | undefined> {
  const directories = await findFolder(layers, folder);
  if (directories.length === 0) return undefined;
  const copy = new SiteCopy(bounds, signal, folder === "");
  await copy.directory(directories, target, 0);
  return copy.files;
}

/** Returns the directories of a folder in the layers, topmost first; none when there is no such folder. */
export async function findFolder(layers: readonly string[], folder: string): Promise<readonly string[]> {
  let directories = layers;
  for (const name of folder === "" ? [] : folder.split("/"))
    directories = name === ".." ? [] : await directoriesBelow(directories, name);
  return directories;
}

class SiteCopy {
  readonly #bounds: SiteBounds;
  readonly #signal: AbortSignal;
  readonly #isWholeProject: boolean;
  #bytes = 0;
  files = 0;

  constructor(bounds: SiteBounds, signal: AbortSignal, isWholeProject: boolean) {
    this.#bounds = bounds;
    this.#signal = signal;
    this.#isWholeProject = isWholeProject;
  }

  async directory(sources: readonly string[], target: string, depth: number): Promise<void> {
    if (depth > this.#bounds.depth || Buffer.byteLength(target) > longestPath)
      throw new SiteTooLargeError("too many levels of folders");
    await mkdir(target, { mode: 0o700 });
    const seen = new Set<string>();
    for (const source of sources) {
      for await (const entry of entriesOf(source)) {
        this.#signal.throwIfAborted();
        const { name } = entry;
        if (seen.has(name)) continue;
        seen.add(name);
        if (seen.size > this.#bounds.files) throw new SiteTooLargeError("too many names in a folder");
        if (!isServedName(name, { depth, isWholeProject: this.#isWholeProject })) continue;
        if (entry.isDirectory())
          await this.directory(await directoriesBelow(sources, name), join(target, name), depth + 1);
        else if (entry.isFile()) await this.#file(join(source, name), join(target, name));
      }
    }
  }

  async #file(from: string, to: string): Promise<void> {
    await using file = await openFile(from);
    if (file === undefined) return;
    const stats = await file.stat();
    if (!stats.isFile()) return;
    this.files += 1;
    this.#bytes += stats.size;
    if (this.files > this.#bounds.files) throw new SiteTooLargeError("too many files");
    if (this.#bytes > this.#bounds.bytes) throw new SiteTooLargeError("too many bytes");
    const mode = 0o600;
    if (stats.size <= smallBytes) return await writeFile(to, await file.readFile(), { flag: "wx", mode });
    const content = file.createReadStream({ autoClose: false, end: stats.size - 1 });
    await pipeline(content, createWriteStream(to, { flags: "wx", mode }), { signal: this.#signal });
  }
}

/** Opens a file; undefined for a link, and for a path that is longer than any may be. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ELOOP", "ENXIO", "ENAMETOOLONG"].includes(error.code ?? "")) return undefined;
    throw error;
  });
}
