import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { constants, createZstdDecompress, zstdCompressSync } from "node:zlib";
import { splitFrames } from "./zstd-frames.ts";

const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]);
const checked = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

async function decompress(bytes: Buffer, chunkSize: number, cut = true): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, at) =>
    bytes.subarray(at * chunkSize, (at + 1) * chunkSize),
  );
  const source = Readable.from(chunks);
  await pipeline(
    cut ? Readable.from(splitFrames(source)) : source,
    createZstdDecompress(),
    async (output: AsyncIterable<Buffer>) => {
      for await (const piece of output) pieces.push(piece);
    },
  );
  return Buffer.concat(pieces);
}

test("all frames of a stream are decompressed, with skippable ones between them, in chunks of any size", async () => {
  const parts = [Buffer.from("one "), Buffer.alloc(300_000, "two "), Buffer.alloc(0), Buffer.from("three")];
  const frames = parts.map((part, position) => zstdCompressSync(part, position % 2 === 0 ? checked : {}));
  const stream = Buffer.concat([skippable, ...frames.flatMap((frame) => [frame, skippable])]);
  for (const chunkSize of [1, 7, 1000, stream.length]) {
    assert.ok((await decompress(stream, chunkSize)).equals(Buffer.concat(parts)), `by ${chunkSize}`);
  }
  const plain = Buffer.concat(frames);
  assert.ok(
    (await decompress(plain, plain.length, false)).length < 100,
    "Node by itself stops at the end of the first frame",
  );
});

test("a stream that is cut or is no zstd is refused", async () => {
  const frame = zstdCompressSync(Buffer.alloc(300_000, "x"), checked);
  for (const wrong of [
    frame.subarray(0, -1),
    frame.subarray(0, 5),
    Buffer.concat([frame, Buffer.from("rubbish")]),
    Buffer.from("rubbish"),
  ]) {
    await assert.rejects(decompress(wrong, 64), { name: "OciError", kind: "mismatch" });
  }
});
