/** Extracts an archive into a directory that appears whole or not at all. */

import { chmod, lstat, mkdir, mkdtemp, open, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArchiveError, extractedPath, type ArchiveEntry, type ArchiveLimits } from "@tijolo/protocol";
import { ArchiveFile } from "@tijolo/protocol/kit";
import { removeTree } from "../host/files/trees.ts";

export interface ExtractArchiveOptions {
  signal: AbortSignal;
  limits: ArchiveLimits;
  /**
   * Flushes what was extracted to the disk, before it appears. Default: nothing is flushed, and after a power
   * cut it may be torn.
   */
  flush?: (directory: string) => Promise<void>;
}

export interface ExtractedArchive {
  files: number;
  extractedBytes: number;
  topFolder: string | null;
}

/**
 * Makes `targetDirectory`, which must not exist while its parent must, with what the archive holds below its
 * one top folder.
 *
 * The archive is checked against all rules again, whoever checked it before: throws `ArchiveError` if it
 * breaks one. Files are 0644, or 0755 when executable; directories 0755; all of the agent's own user.
 * Everything is written inside a directory that only that user can enter, every file is created exclusively,
 * and the result is moved into place at the end. A failure removes what was written; what a killed agent
 * leaves goes before the next attempt (`removeUnfinished` in `version-files.ts`).
 */
export async function extractArchive(
  path: string,
  targetDirectory: string,
  { signal, limits, flush }: ExtractArchiveOptions,
): Promise<ExtractedArchive> {
  if (await exists(targetDirectory)) throw new Error(`extractArchive: ${targetDirectory} exists`);
  await using archive = await ArchiveFile.open(path, limits, signal);
  const shelter = await mkdtemp(join(dirname(targetDirectory), shelterPrefix));
  try {
    await chmod(shelter, 0o700); // a set-gid parent would hand its bit down
    const root = join(shelter, "root");
    const extracted = await extractInto(root, archive, signal);
    signal.throwIfAborted();
    await flush?.(root);
    await rename(root, targetDirectory);
    await rmdir(shelter);
    return extracted;
  } catch (error) {
    await removeTree(shelter);
    throw error;
  }
}

const shelterPrefix = ".extract-";
/**
 * Number of entries at once: enough to keep the threads of Node's pool busy; memory is this many small files,
 * or chunks of large ones.
 */
const concurrency = 16;

async function extractInto(
  root: string,
  archive: ArchiveFile,
  signal: AbortSignal,
): Promise<ExtractedArchive> {
  const { entries, topFolder } = archive.listing;
  const paths = entries.map((entry) => extractedPath(entry.components, topFolder));
  const setMode = await makeDirectories(root, entries, paths);
  const extracted: ExtractedArchive = { files: 0, extractedBytes: 0, topFolder };
  await forEachIndex(entries.length, signal, async (index, stopped) => {
    const entry = entries[index];
    const path = paths[index] ?? null;
    if (entry === undefined) return;
    if (entry.isDirectory || path === null) return archive.read(index, () => {}, stopped);
    await writeEntry(join(root, path), archive, index, entry, setMode, stopped);
    extracted.files += 1;
    extracted.extractedBytes += entry.sizeBytes;
  });
  archive.checkGaps();
  if (extracted.files === 0) throw new ArchiveError("invalid_zip", "there are no files in it");
  return extracted;
}

type SetMode = (path: string, mode: number) => Promise<void>;

/**
 * Makes the root and all directories below it, parents first. Returns a function that gives a new file its
 * mode where the agent's umask removed bits.
 */
async function makeDirectories(
  root: string,
  entries: readonly ArchiveEntry[],
  paths: readonly (string | null)[],
): Promise<SetMode> {
  await mkdir(root, { mode: 0o755 });
  const isUmaskHarmless = ((await stat(root)).mode & 0o777) === 0o755;
  const setMode: SetMode = isUmaskHarmless ? async () => {} : chmod;
  await setMode(root, 0o755);
  const directories = new Set<string>();
  for (const [index, path] of paths.entries()) {
    if (path === null) continue;
    for (
      let at = entries[index]?.isDirectory === true ? path : parent(path);
      at !== "" && !directories.has(at);
      at = parent(at)
    )
      directories.add(at);
  }
  for (const directory of [...directories].sort()) {
    await mkdir(join(root, directory), { mode: 0o755 });
    await setMode(join(root, directory), 0o755);
  }
  return setMode;
}

async function writeEntry(
  path: string,
  archive: ArchiveFile,
  index: number,
  entry: ArchiveEntry,
  setMode: SetMode,
  signal: AbortSignal,
): Promise<void> {
  const mode = entry.isExecutable ? 0o755 : 0o644;
  if (archive.isSmall(entry)) {
    await archive.read(index, (bytes) => writeFile(path, bytes, { flag: "wx", mode }), signal);
  } else {
    await using file = await open(path, "wx", mode);
    await archive.read(index, (bytes) => file.appendFile(bytes), signal);
  }
  await setMode(path, mode);
}

/**
 * Runs `work` for 0 … count-1, a few at a time. The first failure stops the others, and is thrown when none
 * is at work any more.
 */
async function forEachIndex(
  count: number,
  signal: AbortSignal,
  work: (index: number, stopped: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const stopped = AbortSignal.any([signal, failure.signal]);
  let next = 0;
  const worker = async () => {
    try {
      while (next < count && !stopped.aborted) await work(next++, stopped);
    } catch (error) {
      failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  stopped.throwIfAborted();
}

function parent(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
