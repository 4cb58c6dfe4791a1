/** Writing to the disk what the kernel still holds in memory: only that survives a power cut. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "./directory-entries.ts";
import { exec } from "../exec.ts";

const flushTimeoutMs = 60_000;
/**
 * The threads of Node's pool wait for the disk together, and the file system takes what they ask for in one
 * go.
 */
const filesAtOnce = 16;

/** Of the whole file system that `path` is on. */
export async function flushFileSystem(path: string): Promise<void> {
  await exec(["sync", "--file-system", "--", path], { timeoutMs: flushTimeoutMs });
}

/** Of the files below `directory` and no others, with their names. To be called when nobody changes them. */
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
 * What was made, removed, renamed or given other rights on the file system of `directory`, wherever it is
 * there; contents of files may still be missing. A journal keeps changes in their order, so that the newest,
 * which is made here, brings all before it to the disk.
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
