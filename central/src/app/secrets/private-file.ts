/** Reads and writes files of central's own that nobody else may read, and that a crash leaves whole. */

import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes the file; the old contents stay until the new ones are safe on the disk. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const partial = `${path}.new`;
  await rm(partial, { force: true });
  const file = await open(partial, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** What a private file holds, for the message that refuses it. */
export interface Secret {
  holds: string;
  /** Advice for when somebody else may have read it. */
  afterwards: string;
}

/** Reads as {@link findText} does. Throws for a file that others than its owner can read. */
export async function findPrivateText(
  path: string,
  { holds, afterwards }: Secret,
): Promise<string | undefined> {
  return await findRead(path, async (file) => {
    const { mode } = await file.stat();
    if ((mode & 0o077) === 0) return;
    throw new Error(
      `${path} holds ${holds} and others can read it (mode ${(mode & 0o777).toString(8)}). Run: chmod 600 ${path}. ` +
        `If somebody may have read it, ${afterwards}`,
    );
  });
}

/**
 * Returns a file's text; undefined where no file is. Throws, with a sentence for the operator, for one that
 * cannot be read.
 */
export async function findText(path: string): Promise<string | undefined> {
  return await findRead(path, async () => {});
}

async function findRead(
  path: string,
  check: (file: FileHandle) => Promise<void>,
): Promise<string | undefined> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw unreadable(path, cause);
  }
  try {
    await check(file);
    return await file.readFile("utf8").catch((cause: unknown) => {
      throw unreadable(path, cause);
    });
  } finally {
    await file.close();
  }
}

function unreadable(path: string, cause: unknown): Error {
  return new Error(`${path} cannot be read (${codeOf(cause)}).`, { cause });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
