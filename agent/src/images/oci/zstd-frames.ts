/**
 * Cuts a zstd stream where its frames end. Node's decompressor drops what follows a frame's end in the same
 * chunk, and layers are often made of many frames (zstd:chunked, parallel compressors).
 */

import { ByteReader } from "./byte-reader.ts";
import { OciError } from "./oci-error.ts";

export const zstdMagic = 0xfd2fb528;
const isSkippable = (magic: number) => magic >>> 4 === 0x184d2a5;

/**
 * Yields the same bytes without skippable frames, in chunks that never extend over the end of a frame (RFC
 * 8878, section 3.1).
 */
export async function* splitFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  for (;;) {
    const magic = await reader.take(4);
    if (magic === null) return;
    const number = magic.readUInt32LE();
    if (isSkippable(number)) {
      await reader.skip((await need(reader, 4)).readUInt32LE());
      continue;
    }
    if (number !== zstdMagic) throw new OciError("mismatch", "a layer is no readable zstd stream");
    yield* frame(reader, magic);
  }
}

async function* frame(reader: ByteReader, magic: Buffer): AsyncGenerator<Buffer> {
  const descriptor = await need(reader, 1);
  const flags = descriptor.readUInt8();
  const hasChecksum = (flags & 4) !== 0;
  const fields = await take(reader, headerFieldBytes(flags));
  yield Buffer.concat([magic, descriptor, fields]);
  for (let isLast = false; !isLast;) {
    const header = await need(reader, 3);
    const bits = header.readUIntLE(0, 3);
    isLast = (bits & 1) !== 0;
    const isRepeat = ((bits >>> 1) & 3) === 1;
    const body = await take(reader, isRepeat ? 1 : bits >>> 3);
    const end = isLast && hasChecksum ? await need(reader, 4) : Buffer.alloc(0);
    yield Buffer.concat([header, body, end]);
  }
}

/** Returns the bytes of window, dictionary and content size after the descriptor. */
function headerFieldBytes(flags: number): number {
  const isSingleSegment = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >>> 6] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
}

async function take(reader: ByteReader, size: number): Promise<Buffer> {
  return size === 0 ? Buffer.alloc(0) : need(reader, size);
}

async function need(reader: ByteReader, size: number): Promise<Buffer> {
  const bytes = await reader.take(size);
  if (bytes === null) throw new OciError("mismatch", "a layer ends in the middle");
  return bytes;
}
