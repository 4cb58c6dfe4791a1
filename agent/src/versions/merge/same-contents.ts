/** Compares the contents of two files. */

import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

const chunkBytes = 256 * 1024;

/**
 * True when both are regular files with the same bytes. Follows no link and waits for no fifo. Reads no more
 * than the smaller file has, twice.
 */
export async function haveSameContents(one: string, other: string): Promise<boolean> {
  await using first = await openFile(one);
  await using second = await openFile(other);
  if (first === undefined || second === undefined) return false;
  const [{ size }, ofSecond] = await Promise.all([first.stat(), second.stat()]);
  if (size !== ofSecond.size) return false;
  const chunks = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)] as const;
  for (let from = 0; from < size; from += chunkBytes) {
    const [left, right] = await Promise.all([
      readChunk(first, chunks[0], from),
      readChunk(second, chunks[1], from),
    ]);
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
