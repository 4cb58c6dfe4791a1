/** Packs files into a .zip, one after the other, so that no file has to fit into memory. */

import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import type { GivenFile } from "./messages.ts";
import { PackError } from "./pack-error.ts";

export interface ZipOptions {
  /** Bytes of the archive at which it is given up; null: at none. */
  mostBytes: number | null;
  onProgress(doneBytes: number): void;
}

/** Bytes after which pieces become one Blob, which a browser may keep on the disk. */
const foldBytes = 8 * 1024 * 1024;
/** Names of files that are compressed already. */
const compressedName =
  /\.(?:7z|br|bz2|gif|gz|jar|jpe?g|mov|mp3|mp4|ogg|pdf|png|rar|tgz|webm|webp|woff2?|xz|zip|zst)$/i;
/** Attributes of Unix, in the upper half: a file that its owner may run, and one that not. */
const attributes = { program: (0o100755 << 16) >>> 0, file: (0o100644 << 16) >>> 0 };
const unix = 3;

/** Resolves with the archive. Throws PackError for one that grows too large, and for a file that changed. */
export async function zipFiles(files: readonly GivenFile[], options: ZipOptions): Promise<Blob> {
  const pieces = new Pieces();
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    pieces.add(chunk);
  });
  let doneBytes = 0;
  for (const file of files) {
    await addFile(zip, file, (bytes) => {
      doneBytes += bytes;
      options.onProgress(doneBytes);
      const { mostBytes } = options;
      if (mostBytes !== null && pieces.bytes > mostBytes)
        throw new PackError({ code: "tooLarge", mostBytes });
    });
  }
  zip.end();
  const { mostBytes } = options;
  if (mostBytes !== null && pieces.bytes > mostBytes) throw new PackError({ code: "tooLarge", mostBytes });
  return pieces.toBlob();
}

async function addFile(zip: Zip, given: GivenFile, onBytes: (bytes: number) => void): Promise<void> {
  const { name, file } = given;
  const sizeBytes = file.size;
  let entry: ZipDeflate | null = null;
  let readBytes = 0;
  for await (const chunk of chunksOf(given)) {
    entry ??= begin(zip, given, chunk);
    entry.push(chunk);
    readBytes += chunk.length;
    onBytes(chunk.length);
  }
  if (readBytes !== sizeBytes) throw new PackError({ code: "changed", name });
  entry ??= begin(zip, given, new Uint8Array());
  entry.push(new Uint8Array(), true);
}

function begin(zip: Zip, { name, file }: GivenFile, start: Uint8Array): ZipDeflate {
  const entry = compressedName.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
  // A browser does not tell what may be run; a script says it in its first two characters.
  const isProgram = start[0] === 0x23 && start[1] === 0x21;
  entry.os = unix;
  entry.attrs = isProgram ? attributes.program : attributes.file;
  const modified = (file as Partial<File>).lastModified;
  if (modified !== undefined) entry.mtime = inZipTime(modified);
  zip.add(entry);
  return entry as ZipDeflate;
}

/** The format knows times from 1980 to 2107. */
function inZipTime(ms: number): number {
  return Math.min(Math.max(ms, Date.UTC(1980, 0, 2)), Date.UTC(2107, 11, 30));
}

async function* chunksOf({ name, file }: GivenFile): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await read(reader, name);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // what broke cannot be cancelled and need not be
  }
}

/** A browser reads a file only as it was when it was chosen. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>, name: string) {
  try {
    return await reader.read();
  } catch (cause) {
    const isGone = cause instanceof DOMException && cause.name === "NotFoundError";
    throw new PackError({ code: isGone ? "unreadable" : "changed", name }, { cause });
  }
}

class Pieces {
  bytes = 0;
  #folded: Blob[] = [];
  #loose: Uint8Array<ArrayBuffer>[] = [];
  #looseBytes = 0;

  add(chunk: Uint8Array): void {
    this.#loose.push(chunk as Uint8Array<ArrayBuffer>);
    this.#looseBytes += chunk.length;
    this.bytes += chunk.length;
    if (this.#looseBytes < foldBytes) return;
    this.#folded.push(new Blob(this.#loose));
    this.#loose = [];
    this.#looseBytes = 0;
  }

  toBlob(): Blob {
    return new Blob([...this.#folded, ...this.#loose], { type: "application/zip" });
  }
}
