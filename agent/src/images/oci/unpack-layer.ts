/**
 * Unpacks a layer's blob into a directory of its own, ready to be a lower layer of overlayfs, and checks its
 * diff_id.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable, type Duplex } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { exec, hostEnvironment } from "../../host/exec.ts";
import { endWithAgent } from "../../host/checks/build-namespaces.ts";
import { LayerRewriter, type LayerFacts } from "./layer-rewriter.ts";
import { OciError } from "./oci-error.ts";
import { splitFrames, zstdMagic } from "./zstd-frames.ts";

export interface UnpackOptions {
  /** Path of the blob: a tar archive, plain or compressed by gzip or zstd. */
  file: string;
  /** `sha256:…` of the archive without compression. */
  diffId: string;
  /** Directory for the files; it exists and is empty. */
  directory: string;
  /** Directory for temporary files; it exists, and its owner removes it. */
  scratch: string;
  /** Most bytes of the archive without compression. */
  maxBytes: number;
  maxEntries: number;
  signal: AbortSignal;
}

const timeoutMs = 20 * 60_000;
/** Bytes to which writes to the extracting process are combined. */
const writeBytes = 256 * 1024;

/**
 * Unpacks the layer. Throws {@link OciError}, or the signal's reason; the directory then holds anything, but
 * nothing was written outside of it.
 */
export async function unpackLayer(options: UnpackOptions): Promise<LayerFacts> {
  const { file, diffId, directory, scratch, signal } = options;
  const rewriter = new LayerRewriter(options);
  const hash = createHash("sha256");
  let failure: unknown;
  const archive = async function* () {
    try {
      yield* gathered(rewriter.rewrite(measured(await decompressed(file), hash, options.maxBytes)));
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const jail = join(scratch, "jail");
  await mkdir(jail);
  const argv = [...confined, "sh", join(import.meta.dirname, "unpack-layer.sh"), jail, directory];
  try {
    await exec(argv, {
      input: Readable.from(archive(), { objectMode: false }),
      env: { ...hostEnvironment, LANG: "C" },
      timeoutMs,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failure === undefined ? error : asOciError(failure);
  }
  if (failure !== undefined) throw asOciError(failure);
  const found = `sha256:${hash.digest("hex")}`;
  if (found !== diffId)
    throw new OciError("mismatch", `a layer unpacks to ${found}, the image's configuration says ${diffId}`);
  return rewriter.facts();
}

/** Command prefix like {@link endWithAgent}, without a network. */
export const confined: readonly string[] = [...endWithAgent, "unshare", "--net", "--ipc"];

/**
 * Decompresses by what the blob begins with: registries and tools are not exact in what they call it, and the
 * diff_id decides.
 */
async function decompressed(file: string): Promise<AsyncIterable<Buffer>> {
  const start = Buffer.alloc(4);
  await using handle = await open(file, "r");
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  const source = createReadStream(file, { highWaterMark: writeBytes });
  if (bytesRead >= 2 && start.readUInt16BE() === 0x1f8b) return through(source, createGunzip());
  const magic = bytesRead === 4 ? start.readUInt32LE() : 0;
  if (magic === zstdMagic || magic >>> 4 === 0x184d2a5)
    return through(Readable.from(splitFrames(source)), createZstdDecompress());
  return source;
}

function through(source: Readable, decompressor: Duplex): AsyncIterable<Buffer> {
  source.on("error", (error) => decompressor.destroy(error));
  decompressor.on("close", () => source.destroy());
  return source.pipe(decompressor);
}

async function* measured(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of source) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes)
      throw new OciError("unsafe", `a layer is larger than ${maxBytes} bytes when unpacked`);
    hash.update(chunk);
    yield chunk;
  }
}

async function* gathered(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of source) {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes < writeBytes) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield Buffer.concat(pieces);
}

/** Turns errors of the decompressors into {@link OciError}: they mean damaged bytes. */
function asOciError(error: unknown): unknown {
  const isDamage =
    error instanceof Error && "code" in error && /^(Z_|ZSTD_|ERR_ZSTD)/.test(String(error.code));
  return isDamage ? new OciError("mismatch", "a layer cannot be decompressed", error) : error;
}
