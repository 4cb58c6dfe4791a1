/**
 * Removes, measures and counts directories whose contents others made, with the GNU tools. They handle paths
 * of any depth, and with any number of files this process only waits: Node's own removal of 500,000 files
 * takes a gigabyte of memory and blocks the event loop for seconds.
 */

import { lstat, rm } from "node:fs/promises";
import { exec } from "../exec.ts";

export interface TreeOptions {
  /** Default ten minutes. */
  timeoutMs?: number;
  /** Aborts the operation. */
  signal?: AbortSignal;
}

const defaultTimeoutMs = 600_000;

/**
 * Removes a tree, including what its owner made undeletable and paths longer than the kernel takes at once.
 * Never crosses into another file system, whatever may be mounted below, and follows no link. Does nothing
 * when there is no such directory.
 */
export async function removeTree(
  directory: string,
  { timeoutMs = defaultTimeoutMs }: Pick<TreeOptions, "timeoutMs"> = {},
): Promise<void> {
  // GNU's rm is not everywhere that development is, and there is no undeletable file of another user there.
  if (process.platform !== "linux") return rm(directory, { recursive: true, force: true });
  if (await isMissing(directory)) return; // a process takes much longer than a look
  await exec(["rm", "--recursive", "--force", "--one-file-system", "--", directory], {
    timeoutMs,
    endsWithAgent: true,
  });
}

async function isMissing(path: string): Promise<boolean> {
  const failure = await lstat(path).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  return failure?.code === "ENOENT";
}

/** Returns the bytes on disk; each file counts once. */
export function sizeOfTree(directory: string, options: TreeOptions = {}): Promise<number> {
  return measure("--block-size=1", directory, options);
}

/** Returns the number of inodes: files and directories, the directory itself too; each counts once. */
export function countOfTree(directory: string, options: TreeOptions = {}): Promise<number> {
  return measure("--inodes", directory, options);
}

async function measure(
  unit: string,
  directory: string,
  { timeoutMs = defaultTimeoutMs, signal }: TreeOptions,
): Promise<number> {
  const options = { timeoutMs, endsWithAgent: true, ...(signal === undefined ? {} : { signal }) };
  const { stdout } = await exec(["du", "--summarize", unit, "--", directory], options);
  return Number.parseInt(stdout, 10);
}
