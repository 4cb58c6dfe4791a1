/** Stores objects in a folder of the local disk. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ObjectTooLargeError, type IncomingFile, type ObjectRange, type ObjectStore } from "./objects.ts";

export class FolderStore implements ObjectStore {
  readonly #directory: string;
  readonly #incoming: string;
  readonly #makeName: () => string;

  private constructor(directory: string, makeName: () => string) {
    this.#directory = directory;
    this.#incoming = join(directory, "incoming");
    this.#makeName = makeName;
  }

  /** Opens the folder; partially received files of an earlier process are removed. */
  static async open(directory: string, makeName: () => string): Promise<FolderStore> {
    const store = new FolderStore(directory, makeName);
    await rm(store.#incoming, { recursive: true, force: true });
    await mkdir(store.#incoming, { recursive: true, mode: 0o700 });
    return store;
  }

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

  async discard(file: IncomingFile): Promise<void> {
    await rm(file.path, { force: true });
  }

  async put(file: IncomingFile): Promise<void> {
    const target = this.#pathOf(file.sha256);
    const folder = dirname(target);
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
    await syncPath(file.path);
    await rename(file.path, target);
    for (const changed of isNew ? [folder, dirname(folder), this.#directory] : [folder])
      await syncPath(changed);
  }

  async has(sha256: string): Promise<boolean> {
    return access(this.#pathOf(sha256)).then(() => true, unlessMissing(false));
  }

  async open(sha256: string, range?: ObjectRange): Promise<Readable | undefined> {
    const file = await open(this.#pathOf(sha256), "r").catch(unlessMissing(undefined));
    return file?.createReadStream(range);
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#pathOf(sha256), { force: true });
  }

  /** Lists the objects; other files in the folder are skipped. */
  async *list(): AsyncIterable<{ sha256: string; putAtMs: number }> {
    const root = join(this.#directory, "sha256");
    for (const folder of await readdir(root, { withFileTypes: true }).catch(unlessMissing([]))) {
      if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
      for (const object of await readdir(join(root, folder.name), { withFileTypes: true })) {
        const sha256 = object.name;
        if (!object.isFile() || !/^[0-9a-f]{64}$/.test(sha256) || !sha256.startsWith(folder.name)) continue;
        const found = await stat(this.#pathOf(sha256)).catch(unlessMissing(undefined));
        if (found !== undefined) yield { sha256, putAtMs: found.mtimeMs };
      }
    }
  }

  #pathOf(sha256: string): string {
    return join(this.#directory, "sha256", sha256.slice(0, 2), sha256);
  }
}

/** Returns `fallback` for a missing file; rethrows any other failure. */
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
