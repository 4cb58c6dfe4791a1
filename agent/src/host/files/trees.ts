/**
 * Directories whose contents others made: removed, measured and counted by the GNU tools. No depth of a path
 * stops them, and however many files there are, this process only waits: Node's own removal of 500,000 files
 * takes a gigabyte of memory and keeps the event loop for seconds.
 */

import { rm } from "node:fs/promises";
import { exec } from "../exec.ts";

export interface TreeOptions {
  /** Default ten minutes. */
  timeoutMs?: number;
  /** Cuts a look short. */
  signal?: AbortSignal;
}

const defaultTimeoutMs = 600_000;

/**
 * Also what its owner made undeletable, and paths longer than the kernel takes at once. Never crosses into
 * another file system, whatever may be mounted below, and follows no link. No such directory: does nothing.
 */
export async function removeTree(
  directory: string,
  { timeoutMs = defaultTimeoutMs }: Pick<TreeOptions, "timeoutMs"> = {},
): Promise<void> {
  // GNU's rm is not everywhere that development is, and there is no undeletable file of another user there.
  if (process.platform !== "linux") return rm(directory, { recursive: true, force: true });
  await exec(["rm", "--recursive", "--force", "--one-file-system", "--", directory], {
    timeoutMs,
    endsWithAgent: true,
  });
}

/** Bytes on disk, each file once. */
export function sizeOfTree(directory: string, options: TreeOptions = {}): Promise<number> {
  return measure("--block-size=1", directory, options);
}

/** Inodes, each once: files and directories, the directory itself too. */
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
