/** Lists the numbered files of one stream (layout: `logs/writer/log-files.ts`). */

import { open, readdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

export interface StreamFile {
  path: string;
  /** Number of its first line. */
  first: number;
  /** Number of its last line; null while it is being written. */
  last: number | null;
}

/** Returns the files, oldest first; none where the directory is missing. */
export async function listStreamFiles(directory: string): Promise<StreamFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files: StreamFile[] = [];
  for (const name of names) {
    const [, first, last] = /^(\d{1,15})-(\d{0,15})\.log$/.exec(name) ?? [];
    if (first === undefined) continue;
    files.push({
      path: join(directory, name),
      first: Number(first),
      last: last === "" ? null : Number(last),
    });
  }
  return files.sort((a, b) => a.first - b.first);
}

/** Opens for reading; null when the file has been renamed or deleted since it was listed. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Walks over `limit` lines (default: all). Returns how many there were and where the last of them ends. */
export async function skipLines(
  handle: FileHandle,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ lines: number; end: number }> {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let lines = 0;
  let end = 0;
  for (let offset = 0; lines < limit;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) break;
    const block = buffer.subarray(0, bytesRead);
    for (
      let newline = block.indexOf(10);
      newline >= 0 && lines < limit;
      newline = block.indexOf(10, newline + 1)
    ) {
      lines += 1;
      end = offset + newline + 1;
    }
    offset += bytesRead;
  }
  return { lines, end };
}

/** Returns the number of the newest line; 0 when there is none. */
export async function lastLineNumber(directory: string): Promise<number> {
  for (;;) {
    const newest = (await listStreamFiles(directory)).at(-1);
    if (newest === undefined) return 0;
    if (newest.last !== null) return newest.last;
    const handle = await openIfThere(newest.path);
    if (handle === null) continue;
    try {
      return newest.first - 1 + (await skipLines(handle)).lines;
    } finally {
      await handle.close();
    }
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
