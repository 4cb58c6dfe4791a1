/**
 * Fetches an archive by HTTP into a file that appears only when its hash is right; goes on where a cut
 * connection stopped.
 */

import { createHash, type Hash } from "node:crypto";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request, type Dispatcher } from "undici";

export interface ArchiveSource {
  url: string;
  headers: Record<string, string>;
  /** Lower-case hexadecimal. */
  sha256: string;
  sizeBytes: number;
  /** The file to make; its directory must exist. An existing file is replaced. */
  target: string;
}

export interface FetchArchiveOptions {
  signal: AbortSignal;
  /** From 0 to below 1. */
  random: () => number;
  /** The connection is given up when nothing comes for this long. Default 15 s. */
  inactivityMs?: number;
  /** Failures in a row, with no progress between them, until it is given up. Default 8. */
  maxAttempts?: number;
  /**
   * Upper bound of the first pause; it doubles up to 20 s, and the real pause is anything below. Default 500
   * ms.
   */
  firstPauseMs?: number;
  dispatcher?: Dispatcher;
}

/**
 * `refused`: the server says no and would say it again. `gone`: it should have the archive, and has not.
 * `mismatch`: its bytes are not the archive. `unreachable`: the attempts are used up.
 */
export class ArchiveFetchError extends Error {
  override name = "ArchiveFetchError";
  readonly kind: "refused" | "gone" | "mismatch" | "unreachable";

  constructor(kind: ArchiveFetchError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Throws {@link ArchiveFetchError}, the signal's reason, or an error of the disk; then no file is left.
 * Redirects are not followed. What a killed agent leaves goes before the next attempt (`removeUnfinished` in
 * `version-files.ts`).
 */
export async function fetchArchive(source: ArchiveSource, options: FetchArchiveOptions): Promise<void> {
  const { maxAttempts = 8, firstPauseMs = 500, signal, random } = options;
  const partPath = join(
    dirname(source.target),
    `${partPrefix}${basename(source.target)}.${Math.floor(random() * 2 ** 48).toString(16)}`,
  );
  signal.throwIfAborted();
  const file = await open(partPath, "wx", 0o600);
  try {
    const part = new Part(file);
    let failures = 0;
    let mismatches = 0;
    let highest = 0;
    for (;;) {
      const failure = await attempt(source, part, options);
      signal.throwIfAborted();
      if (failure === null) break;
      if (failure.kind === "mismatch" && ++mismatches === maxMismatches) throw failure;
      failures = part.sizeBytes >= highest + progressBytes ? 1 : failures + 1;
      highest = Math.max(highest, part.sizeBytes);
      if (failure.kind === "refused" || failure.kind === "gone" || failures >= maxAttempts) throw failure;
      await delay(random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1)), undefined, { signal });
    }
    await file.sync();
    await rename(partPath, source.target);
  } catch (error) {
    await rm(partPath, { force: true });
    signal.throwIfAborted(); // the reason itself, not what undici or the timer made of it
    throw error;
  } finally {
    await file.close();
  }
}

const partPrefix = ".fetch-";
const maxPauseMs = 20_000;
/** Whole archives with wrong bytes until the server is believed to have no other. */
const maxMismatches = 3;
/** An attempt that brought this much counts as progress. */
const progressBytes = 1024 * 1024;

/** The bytes that have arrived, their hash so far, and the ETag that they came under. */
class Part {
  readonly #file: FileHandle;
  #hash: Hash = createHash("sha256");
  sizeBytes = 0;
  etag: string | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      written += (await this.#file.write(bytes, written, bytes.length - written, this.sizeBytes + written))
        .bytesWritten;
    }
    this.#hash.update(bytes);
    this.sizeBytes += bytes.length;
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
}

/**
 * One request. Null when the part is now the whole archive; errors that concern neither server nor connection
 * are thrown.
 */
async function attempt(
  source: ArchiveSource,
  part: Part,
  options: FetchArchiveOptions,
): Promise<ArchiveFetchError | null> {
  const { signal, inactivityMs = 15_000, dispatcher } = options;
  let response: Dispatcher.ResponseData;
  try {
    response = await request(source.url, {
      headers: { ...source.headers, "accept-encoding": "identity", ...rangeHeaders(part) },
      signal,
      headersTimeout: inactivityMs,
      bodyTimeout: inactivityMs,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
  } catch (error) {
    return new ArchiveFetchError("unreachable", `no answer from ${origin(source)}`, error);
  }
  try {
    return (await judge(response, source, part)) ?? (await receive(response.body, source, part));
  } finally {
    response.body.on("error", () => {}).destroy();
  }
}

async function receive(
  body: AsyncIterable<Buffer>,
  source: ArchiveSource,
  part: Part,
): Promise<ArchiveFetchError | null> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    let next: IteratorResult<Buffer>;
    try {
      next = await chunks.next();
    } catch (error) {
      return new ArchiveFetchError(
        "unreachable",
        `cut after ${part.sizeBytes} of ${source.sizeBytes} bytes`,
        error,
      );
    }
    if (next.done === true) break;
    if (part.sizeBytes + next.value.length > source.sizeBytes) {
      await part.restart();
      return new ArchiveFetchError("mismatch", `more than the ${source.sizeBytes} bytes of the archive`);
    }
    await part.append(next.value);
  }
  if (part.sizeBytes < source.sizeBytes)
    return new ArchiveFetchError("unreachable", `ended after ${part.sizeBytes} of ${source.sizeBytes} bytes`);
  if (part.digest() === source.sha256) return null;
  await part.restart();
  return new ArchiveFetchError("mismatch", "the bytes have another hash");
}

function rangeHeaders(part: Part): Record<string, string> {
  if (part.sizeBytes === 0) return {};
  return { range: `bytes=${part.sizeBytes}-`, ...(part.etag === null ? {} : { "if-range": part.etag }) };
}

/** Prepares the part for the body of this response: goes on with it (206), or starts again (200). */
async function judge(
  { statusCode, headers }: Dispatcher.ResponseData,
  source: ArchiveSource,
  part: Part,
): Promise<ArchiveFetchError | null> {
  if (statusCode === 206 && part.sizeBytes > 0) {
    const range = /^bytes (\d+)-/.exec(single(headers["content-range"]) ?? "");
    if (Number(range?.[1] ?? Number.NaN) === part.sizeBytes) return null;
    await part.restart();
    return new ArchiveFetchError("mismatch", "another range than asked for");
  }
  if (statusCode === 200) {
    await part.restart();
    const etag = single(headers["etag"]);
    part.etag = etag === undefined || etag.startsWith("W/") ? null : etag;
    return null;
  }
  if (statusCode === 416) await part.restart();
  if (statusCode === 410)
    return new ArchiveFetchError("gone", `${origin(source)} does not have the archive any more`);
  const isLasting = statusCode < 500 && ![408, 416, 425, 429].includes(statusCode);
  return new ArchiveFetchError(
    isLasting ? "refused" : "unreachable",
    `${origin(source)} answered ${statusCode}`,
  );
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Without path and query, which may carry a token. */
function origin({ url }: ArchiveSource): string {
  return new URL(url).origin;
}
