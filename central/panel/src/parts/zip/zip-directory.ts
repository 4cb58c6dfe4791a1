/** Reads what a .zip contains from its directory at the end, without the rest of it. */

import { PackError } from "../upload/worker/pack-error.ts";

/** An archive that is read in pieces: a Blob, or one that lies on the server. */
export interface Archive {
  size: number;
  /** The bytes from `start` up to, not including, `end`. */
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  /** CRC-32 of the file's content. */
  crc: number;
  compressedBytes: number;
  bytes: number;
  /** Where its local header stands. */
  offset: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
/** Bytes of the record at the end, and of the longest comment behind it. */
const endBytes = 22;
const mostCommentBytes = 65_535;
/** Bytes of a directory that is read; 50,000 entries with long names are less. */
const mostDirectoryBytes = 64 * 1024 * 1024;

/** Resolves with the files of the archive; folders have no entry. Throws PackError for what is no .zip. */
export async function readZip(archive: Archive): Promise<ZipEntry[]> {
  const tail = await viewOf(archive, Math.max(0, archive.size - endBytes - mostCommentBytes), archive.size);
  const end = findEnd(tail);
  if (end === null) throw new PackError({ code: "notAnArchive" });
  const count = tail.getUint16(end + 10, true);
  const bytes = tail.getUint32(end + 12, true);
  const start = tail.getUint32(end + 16, true);
  if (start + bytes > archive.size || bytes > mostDirectoryBytes)
    throw new PackError({ code: "notAnArchive" });
  return readDirectory(await viewOf(archive, start, start + bytes), count);
}

function readDirectory(view: DataView, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  const decoder = new TextDecoder();
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) break;
    const nameBytes = view.getUint16(at + 28, true);
    const name = decoder.decode(
      new Uint8Array(view.buffer, at + 46, Math.min(nameBytes, view.byteLength - at - 46)),
    );
    if (!name.endsWith("/"))
      entries.push({
        name,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        compressedBytes: view.getUint32(at + 20, true),
        bytes: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number | null {
  for (let at = view.byteLength - endBytes; at >= 0; at--)
    if (view.getUint32(at, true) === endMark) return at;
  return null;
}

export async function viewOf(archive: Archive, start: number, end: number): Promise<DataView> {
  return new DataView(await archive.slice(start, end).arrayBuffer());
}
