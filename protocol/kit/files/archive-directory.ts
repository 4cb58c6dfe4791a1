/** Reads the end and the central directory of a .zip by yauzl, and checks what it finds against the rules. */

import type { FileHandle } from "node:fs/promises";
import {
  ArchiveDirectory,
  ArchiveError,
  checkZipEnd,
  maxZipEndBytes,
  type ArchiveLimits,
  type ArchiveListing,
  type ZipRecord,
} from "../../src/index.ts";
import * as yauzl from "yauzl";

/**
 * Reads the directory. Throws {@link ArchiveError} unless the directory is whole and every record in it keeps
 * the rules, and the signal's reason when that is aborted; reads no content.
 */
export async function readDirectory(
  handle: FileHandle,
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<{ listing: ArchiveListing; directoryOffset: number }> {
  const sizeBytes = (await handle.stat()).size;
  const zip = await openZip(handle, sizeBytes);
  const directoryOffset = zip.position;
  const directory = new ArchiveDirectory(zip.entryCount, limits);
  await zip.forEachRecord((record) => {
    signal.throwIfAborted();
    directory.add(record);
  });
  const end = zip.position;
  if (end > sizeBytes || sizeBytes - end > maxZipEndBytes)
    throw new ArchiveError("invalid_zip", "end of the archive: not where the directory ends");
  const tail = Buffer.alloc(sizeBytes - end);
  await handle.read(tail, 0, tail.length, end);
  checkZipEnd(tail, { offset: directoryOffset, end, entryCount: zip.entryCount });
  const listing = directory.finish(directoryOffset);
  return { listing, directoryOffset };
}

interface Zip {
  entryCount: number;
  /** Offset where the next record is read. */
  readonly position: number;
  forEachRecord(take: (record: ZipRecord) => void): Promise<void>;
}

async function openZip(handle: FileHandle, sizeBytes: number): Promise<Zip> {
  const zipFile = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    const options = {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      strictFileNames: true,
      validateEntrySizes: true,
    };
    yauzl.fromRandomAccessReader(new WindowReader(handle), sizeBytes, options, (error, opened) => {
      if (error) reject(asArchiveError(error));
      else resolve(opened);
    });
  });
  return {
    entryCount: zipFile.entryCount,
    get position() {
      return Number(zipFile.readEntryCursor);
    },
    forEachRecord: (take) =>
      new Promise((resolve, reject) => {
        zipFile.on("entry", (entry: unknown) => {
          try {
            take(entry as ZipRecord); // the shape of yauzl 3, which its types do not know
            zipFile.readEntry();
          } catch (error) {
            reject(error);
          }
        });
        zipFile.once("end", resolve);
        zipFile.once("error", (error) => reject(asArchiveError(error)));
        zipFile.readEntry();
      }),
  };
}

/** Reads ahead: a record costs yauzl two reads, and the records lie side by side. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #handle: FileHandle;
  #window = Buffer.alloc(0);
  #windowOffset = 0;

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const from = position - this.#windowOffset;
    if (from >= 0 && from + length <= this.#window.length) {
      this.#window.copy(buffer, offset, from, from + length);
      queueMicrotask(() => callback(null, length)); // not at once: yauzl would recurse for each record
      return;
    }
    this.#fill(position, length).then((bytesRead) => {
      this.#window.copy(buffer, offset, 0, length);
      callback(null, Math.min(bytesRead, length));
    }, callback);
  }

  async #fill(position: number, length: number): Promise<number> {
    const size = Math.max(windowBytes, length);
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(size), 0, size, position);
    this.#window = buffer.subarray(0, bytesRead);
    this.#windowOffset = position;
    return bytesRead;
  }
}

const windowBytes = 256 * 1024;

/**
 * Turns what yauzl objects to into an archive error; an error of the disk is not the archive's fault and
 * stays as it is.
 */
function asArchiveError(error: Error): Error {
  return "syscall" in error ? error : new ArchiveError("invalid_zip", error.message, error);
}
