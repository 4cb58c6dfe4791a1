/** Fetches an archive from central by HTTP into a file that appears only when its hash is right. */

import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  download,
  MismatchError,
  PassingError,
  type DownloadResponse,
  type RetryOptions,
} from "@tijolo/protocol/kit";
import { request, type Dispatcher } from "undici";

export interface ArchiveSource {
  url: string;
  headers: Record<string, string>;
  /** Hash in lower-case hexadecimal. */
  sha256: string;
  sizeBytes: number;
  /** The file to make; its directory must exist. An existing file is replaced. */
  target: string;
}

/** Options of a fetch. Central may be starting again, so by default 8 failures in a row are tolerated. */
export interface FetchArchiveOptions extends RetryOptions {
  /** Milliseconds without data after which the connection is given up. Default: 15 s. */
  inactivityMs?: number;
  dispatcher?: Dispatcher;
}

/**
 * Thrown when the fetch fails. `refused`: the server refuses and would again. `gone`: it should have the
 * archive, and has not. `mismatch`: its bytes are not the archive. `unreachable`: the attempts are used up.
 */
export class ArchiveFetchError extends Error {
  override name = "ArchiveFetchError";
  readonly kind: "refused" | "gone" | "mismatch" | "unreachable";

  constructor(kind: ArchiveFetchError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const partPrefix = ".fetch-";
/** Statuses below 500 that another attempt may change. */
const passingStatuses = [408, 425, 429];

/**
 * Fetches the archive. Throws {@link ArchiveFetchError}, the signal's reason, or an error of the disk; then
 * no file is left. Redirects are not followed. What a killed agent leaves is removed before the next attempt
 * (`removeUnfinished` in `version-files.ts`).
 */
export async function fetchArchive(source: ArchiveSource, options: FetchArchiveOptions): Promise<void> {
  const { sha256, sizeBytes, target, url } = source;
  const { random, signal } = options;
  const name = `${partPrefix}${basename(target)}.${Math.floor(random() * 2 ** 48).toString(16)}`;
  const partPath = join(dirname(target), name);
  signal.throwIfAborted();
  await using file = await open(partPath, "wx+", 0o600);
  try {
    const { origin } = new URL(url);
    const send = (headers: Record<string, string>) => requestArchive(source, headers, options);
    await download({ sha256, sizeBytes, origin, request: send }, file, { maxAttempts: 8, ...options });
    await file.sync();
    await rename(partPath, target);
  } catch (error) {
    await rm(partPath, { force: true });
    signal.throwIfAborted();
    if (error instanceof PassingError) throw new ArchiveFetchError("unreachable", error.message, error.cause);
    if (error instanceof MismatchError) throw new ArchiveFetchError("mismatch", error.message);
    throw error;
  }
}

async function requestArchive(
  { url, headers }: ArchiveSource,
  rangeHeaders: Record<string, string>,
  { signal, inactivityMs = 15_000, dispatcher }: FetchArchiveOptions,
): Promise<DownloadResponse> {
  const { origin } = new URL(url);
  const response = await request(url, {
    headers: { ...headers, "accept-encoding": "identity", ...rangeHeaders },
    signal,
    headersTimeout: inactivityMs,
    bodyTimeout: inactivityMs,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  }).catch((cause: unknown) => {
    throw new PassingError(`no answer from ${origin}`, { cause });
  });
  const { statusCode, body } = response;
  if ([200, 206, 416].includes(statusCode)) return response;
  body.on("error", () => {}).destroy();
  if (statusCode === 410) throw new ArchiveFetchError("gone", `${origin} does not have the archive any more`);
  const message = `${origin} answered ${statusCode}`;
  if (statusCode >= 500 || passingStatuses.includes(statusCode)) throw new PassingError(message);
  throw new ArchiveFetchError("refused", message);
}
