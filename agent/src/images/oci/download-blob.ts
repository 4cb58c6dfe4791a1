/**
 * Brings a blob to the disk, checked against its digest; goes on where a cut connection or a killed process
 * stopped.
 */

import { createHash, type Hash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { Descriptor } from "./image-manifest.ts";
import { OciError } from "./oci-error.ts";
import { discard, firstOf, type RegistryResponse } from "./registry-answer.ts";
import type { RegistryClient } from "./registry-client.ts";
import type { RegistryEndpoint } from "./registry-endpoint.ts";
import { PassingError, retry, type RetryOptions } from "./retry.ts";

export interface BlobSource {
  descriptor: Descriptor;
  repository: string;
  endpoint: RegistryEndpoint;
}

/** An attempt that brought this much begins the count of failures anew. */
const progressBytes = 1024 * 1024;

/**
 * Leaves the whole blob in `file`. Throws {@link OciError} or the signal's reason; the file then holds what
 * was read, for the next time: of what came just before a cut, up to a stream's buffer (64 KB) is lost.
 */
export async function downloadBlob(
  source: BlobSource,
  file: string,
  options: RetryOptions & { client: RegistryClient },
): Promise<void> {
  const { size, digest } = source.descriptor;
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const part = await Part.of(handle, file, size);
  await retry(options, async (hasProgressed) => {
    const resumedAt = part.sizeBytes;
    if (part.sizeBytes < size)
      await receive(source, part, options).finally(
        () => part.sizeBytes >= resumedAt + progressBytes && hasProgressed(),
      );
    const found = `sha256:${part.hash.copy().digest("hex")}`;
    if (found === digest) return;
    await part.restart();
    const message = `${source.endpoint.origin} gave a blob with the hash ${found} for ${digest}`;
    // What an earlier attempt left may be what is damaged.
    throw resumedAt > 0 ? new PassingError(message) : new OciError("mismatch", message);
  });
}

/** The bytes that have arrived, and their hash so far. */
class Part {
  readonly #file: FileHandle;
  hash: Hash = createHash("sha256");
  sizeBytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async of(handle: FileHandle, path: string, size: number): Promise<Part> {
    const part = new Part(handle);
    const { size: presentBytes } = await handle.stat();
    if (presentBytes > size) await part.restart();
    else if (presentBytes > 0) {
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) part.#count(chunk);
    }
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
    this.hash = createHash("sha256");
    this.sizeBytes = 0;
  }

  #count(bytes: Buffer): void {
    this.hash.update(bytes);
    this.sizeBytes += bytes.length;
  }
}

async function receive(
  { descriptor, repository, endpoint }: BlobSource,
  part: Part,
  options: RetryOptions & { client: RegistryClient },
): Promise<void> {
  const { client, signal } = options;
  const headers: Record<string, string> = part.sizeBytes > 0 ? { range: `bytes=${part.sizeBytes}-` } : {};
  const response = await client.get(endpoint, {
    repository,
    path: `blobs/${descriptor.digest}`,
    headers,
    signal,
  });
  try {
    await placeBody(response, part);
    for await (const chunk of pieces(response, endpoint)) {
      if (part.sizeBytes + chunk.length > descriptor.size) {
        await part.restart();
        throw new OciError(
          "mismatch",
          `${endpoint.origin} gave more than the ${descriptor.size} bytes of ${descriptor.digest}`,
        );
      }
      await part.append(chunk);
    }
  } finally {
    discard(response);
  }
  signal.throwIfAborted();
  if (part.sizeBytes < descriptor.size) throw cut(endpoint, part, descriptor);
}

/** Prepares the part for the body of this answer: goes on with it (206), or begins again. */
async function placeBody({ statusCode, headers }: RegistryResponse, part: Part): Promise<void> {
  const start = /^bytes (\d+)-/.exec(firstOf(headers["content-range"]) ?? "")?.[1];
  if (statusCode === 206 && Number(start) === part.sizeBytes) return;
  await part.restart();
  if (statusCode !== 200)
    throw new PassingError(`the registry gave another range than it was asked for (${statusCode})`);
}

/**
 * An error of the connection becomes one that another attempt may cure; errors of the disk stay what they
 * are.
 */
async function* pieces(response: RegistryResponse, endpoint: RegistryEndpoint): AsyncGenerator<Buffer> {
  const chunks = (response.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((cause: unknown) => {
      throw new PassingError(`the connection to ${endpoint.origin} was cut`, { cause });
    });
    if (next.done === true) return;
    yield next.value;
  }
}

function cut(endpoint: RegistryEndpoint, part: Part, { size, digest }: Descriptor): PassingError {
  return new PassingError(
    `${endpoint.origin} ended after ${part.sizeBytes} of the ${size} bytes of ${digest}`,
  );
}
