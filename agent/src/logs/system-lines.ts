/** Writes the agent's own lines to a project's log, in the same files as the log writer's streams. */

import { mkdir, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { KeyedQueue } from "@tijolo/protocol/kit";
import type { LogLimits } from "./writer/log-files.ts";
import { stampLine } from "./line-stamp.ts";
import { listStreamFiles, openIfThere, skipLines } from "./stream-files.ts";

const limits: LogLimits = { fileBytes: 64 * 1024, archives: 3, lineBytes: 4096 };

export class SystemLines {
  /** Queue of pending writes, by directory. */
  readonly #turns = new KeyedQueue();

  /** Appends the text; resolves once it is in the file. Several lines become several lines. */
  append(directory: string, text: string, at: Date): Promise<void> {
    return this.#turns.run(directory, () => appendLines(directory, text, at));
  }
}

async function appendLines(directory: string, text: string, at: Date): Promise<void> {
  const lines = text.split(/\r?\n/).map((line) => stampLine(at, line.slice(0, limits.lineBytes)));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await currentFile(directory);
  await using file = await open(path, "a+", 0o640);
  const { size } = await file.stat();
  const { buffer: lastByte } = await file.read(Buffer.alloc(1, "\n"), 0, 1, Math.max(0, size - 1));
  // The agent may have been killed within a line.
  const unfinished = size > 0 && lastByte[0] !== 10 ? "\n" : "";
  await file.write(unfinished + lines.join(""));
}

/** Returns the file to append to; a full one is given its final name first, and the oldest are deleted. */
async function currentFile(directory: string): Promise<string> {
  const files = await listStreamFiles(directory);
  const current = files.at(-1);
  if (current === undefined) return join(directory, "1-.log");
  if (current.last !== null) return join(directory, `${current.last + 1}-.log`);
  const handle = await openIfThere(current.path);
  if (handle === null) return current.path;
  await using file = handle;
  if ((await file.stat()).size < limits.fileBytes) return current.path;
  const { lines } = await skipLines(file);
  if (lines === 0) return current.path;
  const last = current.first + lines - 1;
  await rename(current.path, join(directory, `${current.first}-${last}.log`));
  for (const old of files.slice(0, Math.max(0, files.length - limits.archives))) await unlink(old.path);
  return join(directory, `${last + 1}-.log`);
}
