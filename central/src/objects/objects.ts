/**
 * Manages uploaded archives, named by the SHA-256 of their bytes, over the store that holds them. An object
 * that the database names is here, and one that it does not name is removed.
 */

import type { Readable } from "node:stream";
import { KeyedQueue } from "@tijolo/protocol/kit";

/** A file that was received and is not yet kept: to be discarded unless {@link Objects.keepFor kept}. */
export interface IncomingFile {
  /** Path on the local disk, where it can be checked. */
  path: string;
  sha256: string;
  sizeBytes: number;
}

/** The bytes from `start` up to and including `end`. */
export interface ObjectRange {
  start: number;
  end: number;
}

/** Holds objects by their hash; a folder today. What was put survives a crash of the operating system. */
export interface ObjectStore {
  /**
   * Receives a file, never whole in memory, and hashes it. Throws {@link ObjectTooLargeError} past `maxBytes`;
   * nothing stays behind then.
   */
  receive(source: Readable, options: { maxBytes: number; signal: AbortSignal }): Promise<IncomingFile>;
  /** Removes a received file that was not put. */
  discard(file: IncomingFile): Promise<void>;
  /** Takes a received file in. To put the same bytes twice makes one object. */
  put(file: IncomingFile): Promise<void>;
  has(sha256: string): Promise<boolean>;
  /** Opens an object; undefined when there is none. The caller must read the stream or destroy it. */
  open(sha256: string, range?: ObjectRange): Promise<Readable | undefined>;
  remove(sha256: string): Promise<void>;
  list(): AsyncIterable<{ sha256: string; putAtMs: number }>;
}

export class ObjectTooLargeError extends Error {
  override name = "ObjectTooLargeError";
}

/** Tells whether something in the database names the object with this hash. */
export type IsNamed = (sha256: string) => Promise<boolean>;

export class Objects {
  readonly #store: ObjectStore;
  /** Number of writers that are about to name an object, by hash. */
  readonly #holds = new Map<string, number>();
  /**
   * Queue by hash, so that no removal falls between a file's arrival and what names it. The number of uploads
   * and of collections is bounded elsewhere.
   */
  readonly #turns = new KeyedQueue();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Receives a file as {@link ObjectStore.receive} does. */
  receive(source: Readable, options: { maxBytes: number; signal: AbortSignal }): Promise<IncomingFile> {
    return this.#store.receive(source, options);
  }

  discard(file: IncomingFile): Promise<void> {
    return this.#store.discard(file);
  }

  has(sha256: string): Promise<boolean> {
    return this.#store.has(sha256);
  }

  /** Opens an object as {@link ObjectStore.open} does. */
  open(sha256: string, range?: ObjectRange): Promise<Readable | undefined> {
    return this.#store.open(sha256, range);
  }

  /**
   * Makes a received file durable under its hash, for `work` to name it. When `work` is refused, the object
   * is removed at once, unless something else names it or is about to.
   */
  async keepFor<Result>(file: IncomingFile, isNamed: IsNamed, work: () => Promise<Result>): Promise<Result> {
    const { sha256 } = file;
    this.#holds.set(sha256, (this.#holds.get(sha256) ?? 0) + 1);
    try {
      await this.#turns.run(sha256, () => this.#store.put(file));
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

  /** Returns whether it removed the object. */
  async removeUnlessNamed(sha256: string, isNamed: IsNamed): Promise<boolean> {
    return this.#turns.run(sha256, async () => {
      if (this.#holds.has(sha256) || (await isNamed(sha256))) return false;
      await this.#store.remove(sha256);
      return true;
    });
  }

  /** Returns the objects older than `ageMs`, for collecting those that nothing names. */
  async *listOlderThan(ageMs: number, nowMs: number): AsyncIterable<string> {
    for await (const { sha256, putAtMs } of this.#store.list()) if (nowMs - putAtMs > ageMs) yield sha256;
  }

  #release(sha256: string): void {
    const holds = (this.#holds.get(sha256) ?? 1) - 1;
    if (holds === 0) this.#holds.delete(sha256);
    else this.#holds.set(sha256, holds);
  }
}
