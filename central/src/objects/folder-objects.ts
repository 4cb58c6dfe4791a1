/** Uploaded archives in a folder, named by the SHA-256 of their bytes. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A file that was received and is not yet kept: `discard` unless it was {@link FolderObjects.keep kept}. */
export interface IncomingFile {
  path: string;
  sha256: string;
  sizeBytes: number;
}

export class ObjectTooLargeError extends Error {
  override name = "ObjectTooLargeError";
}

export class FolderObjects {
  readonly #directory: string;
  readonly #incoming: string;
  readonly #makeName: () => string;

  private constructor(directory: string, makeName: () => string) {
    this.#directory = directory;
    this.#incoming = join(directory, "incoming");
    this.#makeName = makeName;
  }

  /** Opens the folder; what an earlier process left half received is removed. */
  static async open(directory: string, makeName: () => string): Promise<FolderObjects> {
    const objects = new FolderObjects(directory, makeName);
    await rm(objects.#incoming, { recursive: true, force: true });
    await mkdir(objects.#incoming, { recursive: true, mode: 0o700 });
    return objects;
  }

  /** Streams to disk, never whole in memory. Throws {@link ObjectTooLargeError} past `maxBytes`; nothing stays behind then. */
  async receive(source: Readable, options: { maxBytes: number; signal: AbortSignal }): Promise<IncomingFile> {
    const path = join(this.#incoming, this.#makeName());
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        if (sizeBytes > options.maxBytes) return done(new ObjectTooLargeError(`more than ${options.maxBytes} bytes`));
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(source, meter, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: options.signal });
    } catch (cause) {
      await rm(path, { force: true });
      throw cause;
    }
    return { path, sha256: hash.digest("hex"), sizeBytes };
  }

  /** Makes a received file durable under its hash. Keeping the same bytes twice is one object. */
  async keep(file: IncomingFile): Promise<void> {
    const target = this.pathOf(file.sha256);
    await mkdir(join(target, ".."), { recursive: true, mode: 0o700 });
    await syncPath(file.path);
    await rename(file.path, target);
    await syncPath(join(target, ".."));
  }

  async discard(file: IncomingFile): Promise<void> {
    await rm(file.path, { force: true });
  }

  pathOf(sha256: string): string {
    return join(this.#directory, "sha256", sha256.slice(0, 2), sha256);
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.pathOf(sha256), { force: true });
  }

  /** Every kept object older than `ageMs`, for collecting those that nothing names. */
  async *listOlderThan(ageMs: number, nowMs: number): AsyncIterable<string> {
    const root = join(this.#directory, "sha256");
    for (const prefix of await readdir(root).catch(() => [])) {
      for (const sha256 of await readdir(join(root, prefix))) {
        const { mtimeMs } = await stat(this.pathOf(sha256)).catch(() => ({ mtimeMs: nowMs }));
        if (nowMs - mtimeMs > ageMs) yield sha256;
      }
    }
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
