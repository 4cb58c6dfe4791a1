/** Uploaded archives in a folder, named by the SHA-256 of their bytes. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { KeyedQueue } from "@tijolo/protocol/kit";

/**
 * A file that was received and is not yet kept: `discard` unless it was {@link FolderObjects.keepFor kept}.
 */
export interface IncomingFile {
  path: string;
  sha256: string;
  sizeBytes: number;
}

export class ObjectTooLargeError extends Error {
  override name = "ObjectTooLargeError";
}

/** Whether something in the database names the object with this hash. */
export type IsNamed = (sha256: string) => Promise<boolean>;

export class FolderObjects {
  /** How many writers are about to name an object. */
  readonly #holds = new Map<string, number>();
  /**
   * By hash, so that no removal falls between a file's arrival and what names it. Who receives and who
   * collects is bounded elsewhere.
   */
  readonly #turns = new KeyedQueue();
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

  /**
   * Streams to disk, never whole in memory. Throws {@link ObjectTooLargeError} past `maxBytes`; nothing stays
   * behind then.
   */
  async receive(source: Readable, options: { maxBytes: number; signal: AbortSignal }): Promise<IncomingFile> {
    const path = join(this.#incoming, this.#makeName());
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        if (sizeBytes > options.maxBytes)
          return done(new ObjectTooLargeError(`more than ${options.maxBytes} bytes`));
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(source, meter, createWriteStream(path, { flags: "wx", mode: 0o600 }), {
        signal: options.signal,
      });
    } catch (cause) {
      await rm(path, { force: true });
      throw cause;
    }
    return { path, sha256: hash.digest("hex"), sizeBytes };
  }

  /**
   * Makes a received file durable under its hash, for `work` to name it. Keeping the same bytes twice is one
   * object. When `work` is refused, the object goes again at once, unless something else names it or is about
   * to.
   */
  async keepFor<Result>(file: IncomingFile, isNamed: IsNamed, work: () => Promise<Result>): Promise<Result> {
    const { sha256 } = file;
    this.#holds.set(sha256, (this.#holds.get(sha256) ?? 0) + 1);
    try {
      await this.#turns.run(sha256, () => this.#keep(file));
      const result = await work();
      this.#release(sha256);
      return result;
    } catch (cause) {
      this.#release(sha256);
      // What cannot be removed now is collected later; the refusal is what the caller is to hear.
      await this.removeUnlessNamed(sha256, isNamed).catch(() => undefined);
      throw cause;
    }
  }

  /** Answers whether it removed the object. */
  async removeUnlessNamed(sha256: string, isNamed: IsNamed): Promise<boolean> {
    return this.#turns.run(sha256, async () => {
      if (this.#holds.has(sha256) || (await isNamed(sha256))) return false;
      await rm(this.pathOf(sha256), { force: true });
      return true;
    });
  }

  #release(sha256: string): void {
    const holds = (this.#holds.get(sha256) ?? 1) - 1;
    if (holds === 0) this.#holds.delete(sha256);
    else this.#holds.set(sha256, holds);
  }

  async #keep(file: IncomingFile): Promise<void> {
    const target = this.pathOf(file.sha256);
    const folder = dirname(target);
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
    await syncPath(file.path);
    await rename(file.path, target);
    for (const changed of isNew ? [folder, dirname(folder), this.#directory] : [folder])
      await syncPath(changed);
  }

  async discard(file: IncomingFile): Promise<void> {
    await rm(file.path, { force: true });
  }

  pathOf(sha256: string): string {
    return join(this.#directory, "sha256", sha256.slice(0, 2), sha256);
  }

  /**
   * Every kept object older than `ageMs`, for collecting those that nothing names. What else lies in the
   * folder is passed over.
   */
  async *listOlderThan(ageMs: number, nowMs: number): AsyncIterable<string> {
    const root = join(this.#directory, "sha256");
    for (const folder of await readdir(root, { withFileTypes: true }).catch(unlessMissing([]))) {
      if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
      for (const object of await readdir(join(root, folder.name), { withFileTypes: true })) {
        const sha256 = object.name;
        if (!object.isFile() || !/^[0-9a-f]{64}$/.test(sha256) || !sha256.startsWith(folder.name)) continue;
        const { mtimeMs } = await stat(this.pathOf(sha256)).catch(unlessMissing({ mtimeMs: nowMs }));
        if (nowMs - mtimeMs > ageMs) yield sha256;
      }
    }
  }
}

/** Answers `fallback` for what is not there; any other failure goes on to the caller. */
function unlessMissing<Fallback>(fallback: Fallback): (cause: NodeJS.ErrnoException) => Fallback {
  return (cause) => {
    if (cause.code === "ENOENT") return fallback;
    throw cause;
  };
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
