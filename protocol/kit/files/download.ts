/**
 * Downloads bytes whose size and hash are known, over as many connections as it takes: each continues where
 * the one before was cut. The server's side is `serve-bytes.ts`.
 */

import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { PassingError, retry, type RetryOptions } from "../retry.ts";

export interface DownloadSource {
  sizeBytes: number;
  /** Hash in lower-case hexadecimal. */
  sha256: string;
  /** Name of the server in messages; without path and query, which may carry a token. */
  origin: string;
  /**
   * Sends one request with these headers besides its own, and resolves with an answer 200, 206 or 416. Rejects
   * with a {@link PassingError} where another attempt may succeed, and with any other error where not.
   */
  request(headers: Record<string, string>): Promise<DownloadResponse>;
}

export interface DownloadResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** Thrown when the server has other bytes than those of the hash. */
export class MismatchError extends Error {
  override name = "MismatchError";
}

/** Bytes after which an attempt resets the count of failures. */
const progressBytes = 1024 * 1024;
/** Number of responses with wrong bytes after which the server is believed to have no others. */
const maxMismatches = 3;

/**
 * Resolves when `file` holds exactly the bytes of the source. `file` is open for reading and writing; the
 * download continues after what it holds already. Rejects with {@link MismatchError}, with what {@link retry}
 * or the request rejects with, or with an error of the disk; the file then holds what arrived, for the next
 * time.
 */
export async function download(
  source: DownloadSource,
  file: FileHandle,
  options: RetryOptions,
): Promise<void> {
  const part = await Part.of(file, source.sizeBytes);
  let mismatches = 0;
  let highest = part.sizeBytes;
  await retry(options, async (hasProgressed) => {
    try {
      const isRight =
        (part.sizeBytes === source.sizeBytes || (await receive(source, part))) &&
        part.digest() === source.sha256;
      if (isRight) return;
    } finally {
      if (part.sizeBytes >= highest + progressBytes) hasProgressed();
      highest = Math.max(highest, part.sizeBytes);
    }
    await part.restart();
    const message = `${source.origin} gave other bytes than those of the hash ${source.sha256}`;
    throw ++mismatches === maxMismatches ? new MismatchError(message) : new PassingError(message);
  });
}

/** Holds the bytes that have arrived, their hash so far, and the ETag that they came under. */
class Part {
  readonly #file: FileHandle;
  #hash: Hash = createHash("sha256");
  sizeBytes = 0;
  etag: string | null = null;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async of(file: FileHandle, maxBytes: number): Promise<Part> {
    const part = new Part(file);
    if ((await file.stat()).size > maxBytes) await part.restart();
    const present = file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
    for await (const chunk of present) part.#count(chunk);
    return part;
  }

  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      written += (await this.#file.write(bytes, written, bytes.length - written, this.sizeBytes + written))
        .bytesWritten;
    }
    this.#count(bytes);
  }

  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash("sha256");
    this.sizeBytes = 0;
    this.etag = null;
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  #count(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.sizeBytes += bytes.length;
  }
}

/** Sends one request. Resolves with true when the part is as large as the whole, false when it cannot be right. */
async function receive(source: DownloadSource, part: Part): Promise<boolean> {
  const { origin, sizeBytes } = source;
  const { statusCode, headers, body } = await source.request(rangeHeaders(part));
  try {
    const start = /^bytes (\d+)-/.exec(firstOf(headers["content-range"]) ?? "")?.[1];
    if (statusCode === 206 && Number(start) !== part.sizeBytes) return false;
    if (statusCode !== 206) {
      await part.restart();
      if (statusCode !== 200) throw new PassingError(`${origin} does not have the range that was asked for`);
      const etag = firstOf(headers["etag"]);
      part.etag = etag === undefined || etag.startsWith("W/") ? null : etag;
    }
    for await (const chunk of chunksOf(body, origin)) {
      if (part.sizeBytes + chunk.length > sizeBytes) return false;
      await part.append(chunk);
    }
    if (part.sizeBytes === sizeBytes) return true;
    throw new PassingError(`${origin} ended after ${part.sizeBytes} of ${sizeBytes} bytes`);
  } finally {
    body.on("error", () => {}).destroy();
  }
}

function rangeHeaders({ sizeBytes, etag }: Part): Record<string, string> {
  if (sizeBytes === 0) return {};
  return { range: `bytes=${sizeBytes}-`, ...(etag === null ? {} : { "if-range": etag }) };
}

/** Turns an error of the connection into a passing one; errors of the disk stay what they are. */
async function* chunksOf(body: AsyncIterable<Buffer>, origin: string): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((cause: unknown) => {
      throw new PassingError(`the connection to ${origin} was cut`, { cause });
    });
    if (next.done === true) return;
    yield next.value;
  }
}

/** Returns the first value of a header that may have been sent several times. */
export function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
