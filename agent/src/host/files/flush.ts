/** Flushes to the disk what the kernel still holds in memory: only that survives a power cut. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "./directory-entries.ts";
import { exec } from "../exec.ts";

const flushTimeoutMs = 60_000;
/**
 * Number of files that are flushed at once: the threads of Node's pool wait for the disk together, and the
 * file system handles their requests in one go.
 */
const filesAtOnce = 16;

/** Flushes the whole file system that `path` is on. */
export async function flushFileSystem(path: string): Promise<void> {
  await exec(["sync", "--file-system", "--", path], { timeoutMs: flushTimeoutMs });
}

/** Flushes the files below `directory`, with their names. Must be called while nobody changes them. */
export async function flushTree(directory: string): Promise<void> {
  const files = filesBelow(directory);
  const worker = async () => {
    for await (const path of files) {
      await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      await file.datasync();
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
  await flushNames(directory);
}

/**
 * Flushes what was made, removed, renamed or given other permissions anywhere on the file system of
 * `directory`; contents of files may still be missing. A journal keeps changes in their order, so the newest
 * change, which is made here, brings all earlier ones to the disk.
 */
export async function flushNames(directory: string): Promise<void> {
  await using held = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await held.chmod((await held.stat()).mode & 0o7777);
  await held.sync();
}

async function* filesBelow(directory: string): AsyncGenerator<string, void, undefined> {
  for await (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
