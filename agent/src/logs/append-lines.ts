/** Appends lines of the agent's own to a stream's files, whose layout `writer/log-files.ts` says. */

import { mkdir, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { LogLimits } from "./writer/log-files.ts";
import { listStreamFiles, openIfThere, skipLines } from "./stream-files.ts";

export interface AppendOptions {
  limits: LogLimits;
  /** Lines that were lost before these: their numbers stay without a line, and readers are told. */
  droppedLines?: number;
}

/** Appends stamped lines; one call at a time for a directory. Resolves once they are in the file. */
export async function appendLines(
  directory: string,
  lines: readonly string[],
  { limits, droppedLines = 0 }: AppendOptions,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await currentFile(directory, limits, droppedLines);
  await using file = await open(path, "a+", 0o640);
  const { size } = await file.stat();
  const { buffer: lastByte } = await file.read(Buffer.alloc(1, "\n"), 0, 1, Math.max(0, size - 1));
  // The agent may have been killed within a line.
  const unfinished = size > 0 && lastByte[0] !== 10 ? "\n" : "";
  await file.write(unfinished + lines.join(""));
}

/**
 * Gives the file that is being written its final name, if it has lines; the next one begins after it, and
 * after as many lines as were lost.
 */
export async function closeCurrent(
  directory: string,
  current: { path: string; first: number },
  droppedLines = 0,
): Promise<string> {
  const handle = await openIfThere(current.path);
  if (handle === null) return current.path;
  await using file = handle;
  const { lines } = await skipLines(file);
  const last = current.first + lines - 1;
  const next = join(directory, `${last + 1 + droppedLines}-.log`);
  if (lines > 0) await rename(current.path, join(directory, `${current.first}-${last}.log`));
  else if (next !== current.path) await rename(current.path, next);
  return next;
}

/** Returns the file to append to; a full one is given its final name first, and the oldest are deleted. */
async function currentFile(directory: string, limits: LogLimits, droppedLines: number): Promise<string> {
  const files = await listStreamFiles(directory);
  const current = files.at(-1);
  if (current === undefined) return join(directory, `${1 + droppedLines}-.log`);
  if (current.last !== null) return join(directory, `${current.last + 1 + droppedLines}-.log`);
  const handle = await openIfThere(current.path);
  if (handle === null) return current.path;
  await using file = handle;
  if ((await file.stat()).size < limits.fileBytes && droppedLines === 0) return current.path;
  const next = await closeCurrent(directory, current, droppedLines);
  for (const old of files.slice(0, Math.max(0, files.length - limits.archives))) await unlink(old.path);
  return next;
}
