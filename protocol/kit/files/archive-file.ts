/**
 * Opens a stored .zip, has its directory checked, and reads entries: each against its local header, its size
 * and its checksum.
 */

import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import {
  ArchiveError,
  checkGaps,
  checkLocalHeader,
  localHeaderBytes,
  localHeaderLength,
  printableName,
  type ArchiveEntry,
  type ArchiveLimits,
  type ArchiveListing,
} from "../../src/index.ts";
import { readDirectory } from "./archive-directory.ts";

/** Receives the content of an entry piece by piece; the reader does not use a piece again. */
export type ContentSink = (bytes: Buffer) => void | Promise<void>;

export class ArchiveFile implements AsyncDisposable {
  readonly listing: ArchiveListing;
  readonly #handle: FileHandle;
  readonly #directoryOffset: number;
  readonly #ends: number[] = [];
  #bytesThisTurn = 0;
  #window: { offset: number; end: number; bytes: Promise<Buffer> } = {
    offset: 0,
    end: 0,
    bytes: Promise.resolve(Buffer.alloc(0)),
  };

  private constructor(handle: FileHandle, listing: ArchiveListing, directoryOffset: number) {
    this.#handle = handle;
    this.listing = listing;
    this.#directoryOffset = directoryOffset;
  }

  /**
   * Opens the archive. Throws {@link ArchiveError} unless the whole directory keeps the rules, and the
   * signal's reason when that is aborted.
   */
  static async open(path: string, limits: ArchiveLimits, signal: AbortSignal): Promise<ArchiveFile> {
    const handle = await open(path, "r");
    try {
      const { listing, directoryOffset } = await readDirectory(handle, limits, signal);
      return new ArchiveFile(handle, listing, directoryOffset);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** True when the content comes in one piece. */
  isSmall(entry: ArchiveEntry): boolean {
    return entry.compressedBytes <= smallBytes && entry.sizeBytes <= smallBytes;
  }

  /**
   * Reads one entry of the listing, by its index, to the end. Entries may be read in any order and several at
   * once.
   */
  async read(index: number, sink: ContentSink, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const entry = this.listing.entries[index];
    if (entry === undefined) throw new RangeError(`no entry ${index}`);
    const isSmall = this.isSmall(entry);
    const guess =
      localHeaderBytes + entry.rawName.length + extraGuessBytes + (isSmall ? entry.compressedBytes : 0);
    let head = await this.#bytes(entry.offset, guess);
    const headerLength = localHeaderLength(head, entry);
    if (headerLength > head.length)
      head = await this.#bytes(entry.offset, headerLength + (isSmall ? entry.compressedBytes : 0));
    const start = entry.offset + headerLength;
    const end = start + entry.compressedBytes;
    if (end > this.#directoryOffset) throw refusal(entry, "reaches into the central directory");
    checkLocalHeader(head.subarray(0, headerLength), entry);
    this.#ends[index] = end;
    if (!isSmall) return this.#readLarge(entry, start, end, sink, signal);
    let compressed = head.subarray(headerLength, headerLength + entry.compressedBytes);
    if (compressed.length < entry.compressedBytes)
      compressed = await this.#bytes(start, entry.compressedBytes);
    await this.#pace(entry.sizeBytes);
    const content = entry.isDeflated ? inflate(compressed, entry) : compressed;
    check(entry, content.length, crc32(content));
    await sink(content);
  }

  /** Refuses bytes that belong to no entry. Must be called once all entries are read. */
  checkGaps(): void {
    checkGaps(this.listing, this.#ends, this.#directoryOffset);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  /**
   * Pauses for the event loop. Entries that have been read ahead cost no wait: without this, hundreds would
   * be inflated before anything else gets its turn.
   */
  async #pace(sizeBytes: number): Promise<void> {
    this.#bytesThisTurn += sizeBytes + entryCostBytes;
    if (this.#bytesThisTurn < turnBytes) return;
    this.#bytesThisTurn = 0;
    await nextTurn();
  }

  async #readLarge(
    entry: ArchiveEntry,
    start: number,
    end: number,
    sink: ContentSink,
    signal: AbortSignal,
  ): Promise<void> {
    const content = entry.isDeflated ? inflateLarge(this.#range(start, end), entry) : this.#range(start, end);
    let sizeBytes = 0;
    let checksum = 0;
    for await (const bytes of content) {
      signal.throwIfAborted();
      sizeBytes += bytes.length;
      if (sizeBytes > entry.sizeBytes) throw refusal(entry, "more content than declared");
      checksum = crc32(bytes, checksum);
      await sink(bytes);
    }
    check(entry, sizeBytes, checksum);
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer, void> {
    for (let at = start; at < end; at += chunkBytes)
      yield await this.#bytes(at, Math.min(chunkBytes, end - at));
  }

  /**
   * Returns at most `length` bytes from `offset`, fewer where the central directory begins. Reads ahead,
   * because small entries lie side by side.
   */
  async #bytes(offset: number, length: number): Promise<Buffer> {
    const end = Math.max(offset, Math.min(offset + length, this.#directoryOffset));
    if (offset < this.#window.offset || end > this.#window.end) {
      const windowEnd = Math.max(
        offset,
        Math.min(offset + Math.max(length, windowBytes), this.#directoryOffset),
      );
      this.#window = { offset, end: windowEnd, bytes: this.#read(offset, windowEnd - offset) };
    }
    const window = this.#window;
    return (await window.bytes).subarray(offset - window.offset, end - window.offset);
  }

  async #read(offset: number, wanted: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(wanted), 0, wanted, offset);
    if (bytesRead !== wanted) throw new ArchiveError("invalid_zip", "the file ends early");
    return buffer;
  }
}

/**
 * Largest entry that is read and inflated in one piece: it takes at most a millisecond, where streams cost
 * more than the work.
 */
const smallBytes = 128 * 1024;
const chunkBytes = 128 * 1024;
const windowBytes = 512 * 1024;
/** Work in one turn of the event loop: about five milliseconds. */
const turnBytes = 1024 * 1024;
/** Cost of reading an entry beside its bytes, in the same measure. */
const entryCostBytes = 8 * 1024;
/** Bytes of local extra fields (times, owner) that most writers stay within. */
const extraGuessBytes = 64;

function inflate(compressed: Buffer, entry: ArchiveEntry): Buffer {
  try {
    const options = {
      maxOutputLength: Math.max(1, entry.sizeBytes),
      chunkSize: Math.max(64, entry.sizeBytes + 1),
      info: true,
    };
    // With `info` the result is not a Buffer, which the type of inflateRawSync does not say.
    const result = inflateRawSync(compressed, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (result.engine.bytesWritten !== compressed.length)
      throw refusal(entry, "bytes after the compressed content");
    return result.buffer;
  } catch (error) {
    throw error instanceof ArchiveError ? error : refusal(entry, "cannot be inflated", error);
  }
}

async function* inflateLarge(
  compressed: AsyncGenerator<Buffer, void>,
  entry: ArchiveEntry,
): AsyncGenerator<Buffer, void> {
  const inflater = createInflateRaw({ chunkSize: chunkBytes });
  const source = Readable.from(compressed, { objectMode: false });
  let readError: unknown;
  source.once("error", (error) => {
    readError = error;
    inflater.destroy(error);
  });
  source.pipe(inflater);
  try {
    for await (const bytes of inflater) yield bytes;
    if (inflater.bytesWritten !== entry.compressedBytes)
      throw refusal(entry, "bytes after the compressed content");
  } catch (error) {
    throw error === readError || error instanceof ArchiveError
      ? error
      : refusal(entry, "cannot be inflated", error);
  } finally {
    source.destroy();
    inflater.destroy();
  }
}

function check(entry: ArchiveEntry, sizeBytes: number, checksum: number): void {
  if (sizeBytes !== entry.sizeBytes)
    throw refusal(entry, `${sizeBytes} bytes of content, ${entry.sizeBytes} declared`);
  if (checksum !== entry.crc32) throw refusal(entry, "wrong checksum");
}

function refusal(entry: ArchiveEntry, why: string, cause?: unknown): ArchiveError {
  return new ArchiveError("invalid_zip", `${why}: ${printableName(entry.components.join("/"))}`, cause);
}
