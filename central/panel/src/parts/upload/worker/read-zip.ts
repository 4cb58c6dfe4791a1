/** Reads a file of a .zip that was chosen. */

import { inflateSync } from "fflate";
import { viewOf, type ZipEntry } from "../../zip/zip-directory.ts";

const localMark = 0x04034b50;
/** Bytes of a file whose text is read. */
const mostTextBytes = 2 * 1024 * 1024;

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
