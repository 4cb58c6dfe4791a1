/** Reads what a .zip contains from its directory at the end, without unpacking it. */

import { inflateSync } from "fflate";
import { PackError } from "./pack-error.ts";

export interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  compressedBytes: number;
  bytes: number;
  /** Where its local header stands. */
  offset: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
/** Bytes of the record at the end, and of the longest comment behind it. */
const endBytes = 22;
const mostCommentBytes = 65_535;
/** Bytes of a directory that is read; 50,000 entries with long names are less. */
const mostDirectoryBytes = 64 * 1024 * 1024;
/** Bytes of a file whose text is read. */
const mostTextBytes = 2 * 1024 * 1024;

/** Resolves with the files of the archive; folders have no entry. Throws PackError for what is no .zip. */
export async function readZip(archive: Blob): Promise<ZipEntry[]> {
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

/** Resolves with the text of a file; empty for one that is too large or packed in another way. */
export async function readZipText(archive: Blob, entry: ZipEntry): Promise<string> {
  if (entry.bytes > mostTextBytes || (entry.method !== 0 && entry.method !== 8)) return "";
  const local = await viewOf(archive, entry.offset, entry.offset + 30);
  if (local.byteLength < 30 || local.getUint32(0, true) !== localMark) return "";
  const start = entry.offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  const view = await viewOf(archive, start, start + entry.compressedBytes);
  const packed = new Uint8Array(view.buffer);
  try {
    const bytes = entry.method === 0 ? packed : inflateSync(packed, { out: new Uint8Array(entry.bytes) });
    return new TextDecoder().decode(bytes);
  } catch {
    return ""; // the server says what is wrong with a broken archive
  }
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

async function viewOf(blob: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await blob.slice(start, end).arrayBuffer());
}
