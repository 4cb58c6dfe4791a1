/** Compares the contents of two files. */

import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";

const chunkBytes = 256 * 1024;

/**
 * True when the other path is a file with the same bytes. Follows no link and waits for no fifo. Files of
 * different sizes are not opened, and no more is read than the other file has, twice.
 */
export async function haveSameContents(
  { path, sizeBytes }: { path: string; sizeBytes: number },
  other: string,
): Promise<boolean> {
  const stats = await lstat(other).catch(() => null);
  if (stats === null || !stats.isFile() || stats.size !== sizeBytes) return false;
  await using one = await openFile(path);
  await using two = await openFile(other);
  if (one === undefined || two === undefined) return false;
  const chunks = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)] as const;
  for (let from = 0; from < sizeBytes; from += chunkBytes) {
    const read = [readChunk(one, chunks[0], from), readChunk(two, chunks[1], from)] as const;
    const [left, right] = await Promise.all(read);
    if (!left.equals(right)) return false;
  }
  return true;
}

/** Opens a regular file; undefined for anything else, and where there is nothing. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(error.code ?? "")) return undefined;
    throw error;
  });
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

async function readChunk(file: FileHandle, chunk: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < chunk.length) {
    const { bytesRead } = await file.read(chunk, filled, chunk.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return chunk.subarray(0, filled);
}
