/**
 * Compresses a site's files ahead of its visitors, within bounds of time and size: into `br/<path>` and
 * `gzip/<path>` of a directory beside the site.
 */

import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { entriesOf } from "../host/files/directory-entries.ts";
import { isCompressible, isServedName } from "./served-names.ts";

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Names of the encodings as visitors accept them, the better first; also the names of their directories. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

export interface CompressionBounds {
  /** Size from which on a file is compressed; smaller files do not gain by it. */
  leastBytes: number;
  fileBytes: number;
  totalBytes: number;
  timeMs: number;
}

export const defaultCompressionBounds: CompressionBounds = {
  leastBytes: 1024,
  fileBytes: 8 * 1024 ** 2,
  totalBytes: 64 * 1024 ** 2,
  timeMs: 20_000,
};

/** Largest file that is compressed with the best quality, which takes a second and more for a larger one. */
const bestQualityBytes = 512 * 1024;
/** Share of a file that compressing has to save. */
const leastSaving = 0.05;

/**
 * Compresses the files of `directory`, one after the other, so that the threads of this process stay free for
 * others. Beyond the bounds, files are left as they are.
 */
export async function compressSite(
  directory: string,
  target: string,
  { signal, bounds = defaultCompressionBounds }: { signal: AbortSignal; bounds?: CompressionBounds },
): Promise<void> {
  const endAtMs = performance.now() + bounds.timeMs;
  let leftBytes = bounds.totalBytes;
  for await (const { path, sizeBytes } of filesOf(directory, "")) {
    signal.throwIfAborted();
    if (sizeBytes < bounds.leastBytes || sizeBytes > bounds.fileBytes || sizeBytes > leftBytes) continue;
    if (performance.now() > endAtMs) return;
    leftBytes -= sizeBytes;
    const content = await readFile(join(directory, path));
    for (const encoding of encodings) await keepSmaller(join(target, encoding, path), content, encoding);
  }
}

async function keepSmaller(path: string, content: Buffer, encoding: Encoding): Promise<void> {
  const encoded = await encode(content, encoding);
  if (encoded.length > content.length * (1 - leastSaving)) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, encoded, { flag: "wx", mode: 0o600 });
}

function encode(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return toGzip(content, { level: constants.Z_BEST_COMPRESSION });
  const quality = content.length > bestQualityBytes ? 9 : constants.BROTLI_MAX_QUALITY;
  return toBrotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

/**
 * Yields the compressible files below `directory`, which nobody but the agent writes to; links are no files.
 */
async function* filesOf(
  directory: string,
  folder: string,
  depth = 0,
): AsyncGenerator<{ path: string; sizeBytes: number }, void, undefined> {
  for await (const entry of entriesOf(join(directory, folder))) {
    if (!isServedName(entry.name, { depth, isWholeProject: true })) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(directory, path, depth + 1);
    else if (entry.isFile() && isCompressible(path))
      yield { path, sizeBytes: (await lstat(join(directory, path))).size };
  }
}
