/** Stores blobs while they are downloaded, so that an interrupted download continues where it stopped. */

import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isOwnerAlive, ownerMark } from "../../host/files/owner-mark.ts";

/** Milliseconds after which an abandoned partial blob is removed. */
const keepMs = 24 * 3_600_000;
const fileName = /^[0-9a-f]{64}-(\d+-\d+)-[0-9a-f]+$/;

export interface PartialBlobsOptions {
  /** Directory of partial blobs; created when the first blob arrives. Several processes may share it. */
  directory: string;
  now: () => Date;
  randomName: () => string;
}

export class PartialBlobs {
  readonly #options: PartialBlobsOptions;
  /** Id of the store, which distinguishes several stores of one process. */
  readonly #instance: string;

  constructor(options: PartialBlobsOptions) {
    this.#options = options;
    this.#instance = options.randomName();
  }

  /**
   * Claims the file for the blob of this digest, with what an earlier attempt has left in it; it may be
   * missing. Only one caller at a time may claim a digest. A file belongs to the process in its name until
   * that is gone; taking it over is a rename, which one process wins.
   */
  async claim(digest: string): Promise<string> {
    const { directory } = this.#options;
    const hash = digest.slice("sha256:".length);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const own = join(directory, `${hash}-${ownerMark(process.pid)}-${this.#instance}`);
    if (await exists(own)) return own;
    for (const name of await readdir(directory)) {
      if (!name.startsWith(`${hash}-`) || (await isOwned(name))) continue;
      const isTaken = await rename(join(directory, name), own).then(
        () => true,
        () => false, // another process was faster
      );
      if (isTaken) return own;
    }
    return own;
  }

  /** Removes what ended processes left and nobody continued. Returns the names. */
  async collect(): Promise<string[]> {
    const { directory, now } = this.#options;
    const collected: string[] = [];
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      const changedMs = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      );
      if (changedMs === null || changedMs > now().getTime() - keepMs || (await isOwned(name))) continue;
      await rm(path, { force: true });
      collected.push(name);
    }
    return collected;
  }
}

async function isOwned(name: string): Promise<boolean> {
  const mark = fileName.exec(name)?.[1];
  return mark !== undefined && isOwnerAlive(mark);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
