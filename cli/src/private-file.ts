/** Writes files that nobody but their owner may read, as they hold secrets or code. */

import { randomUUID } from "node:crypto";
import { access, open, rename, rm, writeFile } from "node:fs/promises";
import type { Writable } from "node:stream";

/** Returns false when the file exists and may not be replaced. A replaced file is never half written. */
export async function writePrivateFile(
  file: string,
  text: string,
  options: { mayReplace: boolean },
): Promise<boolean> {
  const target = options.mayReplace ? `${file}.${randomUUID()}` : file;
  try {
    await writeFile(target, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw cause;
  }
  if (options.mayReplace) await rename(target, file);
  return true;
}

export interface PrivateFile extends AsyncDisposable {
  /** Returns the stream to write the content to. */
  stream(): Writable;
  /** Gives the file its final name, once everything is written. */
  keep(): Promise<void>;
}

/**
 * Opens a file to be written as a stream, under a name of its own until it is kept; what is not kept is
 * removed. Returns null when the file exists and may not be replaced.
 */
export async function openPrivateFile(
  file: string,
  { mayReplace }: { mayReplace: boolean },
): Promise<PrivateFile | null> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists && !mayReplace) return null;
  const path = `${file}.${randomUUID()}`;
  const handle = await open(path, "wx", 0o600);
  return {
    stream: () => handle.createWriteStream(),
    keep: () => rename(path, file),
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(path, { force: true });
    },
  };
}
