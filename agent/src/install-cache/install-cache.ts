/**
 * Keeps finished install steps of each account as layers, which later installs with the same inputs reuse
 * unchanged.
 */

import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, statfs, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Logger } from "pino";
import { KeyedQueue } from "@tijolo/protocol/kit";
import { exec } from "../host/exec.ts";
import { flushFileSystem } from "../host/files/flush.ts";
import { countOfTree, removeTree, sizeOfTree } from "../host/files/trees.ts";
import type { AppLayer } from "../runtime/runtime.ts";
import { discard, findWhole, madeInBoot, manifestFile, unflushedFile } from "./cache-entry.ts";

/**
 * On disk, entries are `<directory>/<accountId>/<key>`, see `cache-entry.ts`. Layers are copies that only
 * root can reach, owned 0-based, so that a tenant who fills or alters its own disk changes none.
 */
export interface InstallCacheOptions {
  directory: string;
  bounds: InstallCacheBounds;
  /** Returns the directories of layers that projects use: they are never removed. */
  inUse: () => ReadonlySet<string>;
  /** Returns the accounts that have projects here: entries of others are not kept. */
  accounts: () => ReadonlySet<string>;
  clock: { now(): number };
  /** Boot id, as of `host/boot-id.ts`. */
  bootId: string;
  logger: Pick<Logger, "info" | "warn">;
}

export interface InstallCacheBounds {
  /** Largest layer in bytes that is kept. */
  layerBytes: number;
  accountBytes: number;
  totalBytes: number;
  /** Free bytes of the file system below which nothing is kept, and what is not in use is removed. */
  freeBytes: number;
  /** Milliseconds for which a layer that nobody requests is kept. */
  keepMs: number;
}

export const defaultBounds: InstallCacheBounds = {
  layerBytes: 2 * 1024 ** 3,
  accountBytes: 4 * 1024 ** 3,
  totalBytes: 40 * 1024 ** 3,
  freeBytes: 5 * 1024 ** 3,
  keepMs: 30 * 24 * 3_600_000,
};

export interface KeptInstall {
  accountId: string;
  /** Directory of the entry, not of its layer. */
  directory: string;
  /** Size that it counts as: the room on the disk, and {@link inodeBytes} for each of its files. */
  sizeBytes: number;
  askedForAtMs: number;
}

/** Milliseconds after a request in which a layer is not removed: an install may still use it. */
const settlingMs = 60 * 60_000;
const copyTimeoutMs = 120_000;
/**
 * Bytes counted for each inode, because file systems have about one inode for so many bytes: empty files are
 * not free.
 */
const inodeBytes = 8 * 1024;
/** Share of free inodes of the file system below which nothing is kept. */
const freeInodeShare = 0.2;

/** A cache that keeps nothing and finds nothing. */
export const noInstallCache: Pick<InstallCache, "find" | "keep" | "collect"> = {
  find: async () => undefined,
  keep: async () => undefined,
  collect: async () => {},
};

export class InstallCache {
  readonly #options: InstallCacheOptions;
  /** Queue by entry: a layer is either handed out or removed. */
  readonly #turns = new KeyedQueue();
  /** Directories of copies that are being made. */
  readonly #underWay = new Set<string>();
  /** Directories that were reported because they cannot be cleared. */
  readonly #uncleared = new Set<string>();

  private constructor(options: InstallCacheOptions) {
    this.#options = options;
  }

  /**
   * Opens the directory and clears it of copies that are incomplete or not on the disk. What cannot be
   * cleared is logged.
   */
  static async create(options: InstallCacheOptions): Promise<InstallCache> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const cache = new InstallCache(options);
    await cache.#clear();
    return cache;
  }

  /** Returns the layer of the account that is cached under this key; undefined when there is none. */
  async find(accountId: string, key: string): Promise<AppLayer | undefined> {
    const directory = this.#entry(accountId, key);
    return this.#turns.run(directory, async () => {
      const at = new Date(this.#options.clock.now());
      try {
        if ((await findWhole(directory, this.#options.bootId)) === undefined) return undefined;
        await utimes(join(directory, manifestFile), at, at);
      } catch {
        return undefined;
      }
      return { directory: join(directory, "layer"), uidBase: 0 };
    });
  }

  /**
   * Takes a copy of a layer that nothing runs in any more. Undefined when it is not kept: too large, or no
   * room. Aborting `signal` leaves nothing behind.
   */
  async keep(
    accountId: string,
    key: string,
    layer: string,
    signal: AbortSignal,
  ): Promise<AppLayer | undefined> {
    const { bounds, directory, clock, bootId, logger } = this.#options;
    const sizeBytes = await countedSizeOf(layer, signal);
    if (sizeBytes > bounds.layerBytes || !(await this.#makeRoom(accountId, sizeBytes))) {
      logger.info({ accountId, sizeBytes }, "an install is not kept for later ones: too large");
      return undefined;
    }
    const partial = join(directory, accountId, `.${randomBytes(8).toString("hex")}`);
    this.#underWay.add(partial);
    try {
      await mkdir(partial, { recursive: true, mode: 0o700 });
      const copy = join(partial, "layer");
      await exec(["cp", "--archive", "--one-file-system", "--no-target-directory", "--", layer, copy], {
        timeoutMs: copyTimeoutMs,
        endsWithAgent: true,
        signal,
      });
      // Everything in it belongs to the one user that a container has.
      await exec(["chown", "--recursive", "--no-dereference", "0:0", "--", copy], {
        timeoutMs: copyTimeoutMs,
        endsWithAgent: true,
        signal,
      });
      await writeFile(join(partial, unflushedFile), bootId);
      await writeFile(
        join(partial, manifestFile),
        `${JSON.stringify({ sizeBytes, keptAt: new Date(clock.now()).toISOString() })}\n`,
      );
      await this.#publish(partial, this.#entry(accountId, key));
    } finally {
      await discard(partial).finally(() => this.#underWay.delete(partial));
    }
    return this.find(accountId, key);
  }

  /** Publishes a copy. It replaces a torn entry; a whole one stays, as another project was faster. */
  #publish(partial: string, directory: string): Promise<void> {
    return this.#turns.run(directory, async () => {
      if ((await findWhole(directory, this.#options.bootId)) !== undefined) return;
      await discard(directory);
      await rename(partial, directory);
    });
  }

  /**
   * Removes what exceeds a bound, the longest unused first, what was not requested for a long time, and what
   * belonged to accounts that are gone. Tries again what could not be cleared earlier, and flushes what
   * stays.
   */
  async collect(): Promise<void> {
    await this.#clear();
    await this.#removeBeyond(await this.#entries(), new Map());
    const { directory, accounts } = this.#options;
    const here = accounts();
    // A directory with something in it stays.
    for (const accountId of await namesIn(directory))
      if (!here.has(accountId)) await rmdir(join(directory, accountId)).catch(() => {});
    await this.#flush();
  }

  /** Removes what agents that no longer run have left, and entries that are incomplete. */
  async #clear(): Promise<void> {
    const { directory, bootId, logger } = this.#options;
    for (const path of await pathsIn(directory)) {
      try {
        if (!basename(path).startsWith(".")) {
          await this.#turns.run(path, async () => (await findWhole(path, bootId)) ?? (await discard(path)));
        } else if (!this.#underWay.has(path)) await removeTree(path);
        this.#uncleared.delete(path);
      } catch (error) {
        if (!this.#uncleared.has(path))
          logger.warn({ err: error, path }, "a leftover of kept installs could not be removed yet");
        this.#uncleared.add(path);
      }
    }
  }

  /** Flushes all new copies at once: each flush is one of the whole file system. */
  async #flush(): Promise<void> {
    const unflushed: string[] = [];
    for (const { directory } of await this.#entries())
      if ((await madeInBoot(directory)) !== undefined) unflushed.push(directory);
    if (unflushed.length === 0) return;
    await flushFileSystem(this.#options.directory);
    for (const directory of unflushed) await rm(join(directory, unflushedFile), { force: true });
  }

  /** Returns the cached installs. */
  list(): Promise<KeptInstall[]> {
    return this.#entries();
  }

  async #makeRoom(accountId: string, sizeBytes: number): Promise<boolean> {
    const { bounds, directory } = this.#options;
    const { ffree, files } = await statfs(directory);
    if (files > 0 && ffree < files * freeInodeShare) return false;
    const isRoom = await this.#removeBeyond(await this.#entries(), new Map([[accountId, sizeBytes]]));
    return isRoom && (await freeBytesOf(directory)) - sizeBytes > bounds.freeBytes;
  }

  /** Removes entries beyond the bounds; true when `wanted` bytes of an account fit afterwards. */
  async #removeBeyond(entries: KeptInstall[], wanted: ReadonlyMap<string, number>): Promise<boolean> {
    const { bounds, clock, directory, accounts } = this.#options;
    const here = accounts();
    const accountBytes = new Map(wanted);
    for (const { accountId, sizeBytes } of entries)
      accountBytes.set(accountId, (accountBytes.get(accountId) ?? 0) + sizeBytes);
    let totalBytes = [...accountBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    let freeBytes = await freeBytesOf(directory);
    for (const entry of entries.toSorted((a, b) => a.askedForAtMs - b.askedForAtMs)) {
      const isOver =
        (accountBytes.get(entry.accountId) ?? 0) > bounds.accountBytes || totalBytes > bounds.totalBytes;
      const isUnused = clock.now() - entry.askedForAtMs > bounds.keepMs || !here.has(entry.accountId);
      if (!(isOver || isUnused || freeBytes < bounds.freeBytes) || !(await this.#removeUnused(entry)))
        continue;
      accountBytes.set(entry.accountId, (accountBytes.get(entry.accountId) ?? 0) - entry.sizeBytes);
      totalBytes -= entry.sizeBytes;
      freeBytes += entry.sizeBytes;
    }
    return (
      totalBytes <= bounds.totalBytes &&
      [...wanted.keys()].every((id) => (accountBytes.get(id) ?? 0) <= bounds.accountBytes)
    );
  }

  /** Removes an entry. Returns false when it is in use, or was just requested. */
  #removeUnused({ directory }: KeptInstall): Promise<boolean> {
    return this.#turns.run(directory, async () => {
      const entry = await this.#read(directory);
      if (entry === undefined || this.#options.inUse().has(join(directory, "layer"))) return false;
      if (this.#options.clock.now() - entry.askedForAtMs < settlingMs) return false;
      await discard(directory);
      return true;
    });
  }

  async #entries(): Promise<KeptInstall[]> {
    const entries: KeptInstall[] = [];
    for (const path of await pathsIn(this.#options.directory)) {
      const entry = basename(path).startsWith(".") ? undefined : await this.#read(path);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Returns undefined when the entry is not whole, or being removed. */
  async #read(directory: string): Promise<KeptInstall | undefined> {
    const found = await findWhole(directory, this.#options.bootId).catch(() => undefined);
    return found === undefined ? undefined : { accountId: basename(dirname(directory)), directory, ...found };
  }

  #entry(accountId: string, key: string): string {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(accountId) || !/^[0-9a-f]{64}$/.test(key))
      throw new Error(`not a name: ${accountId} ${key}`);
    return join(this.#options.directory, accountId, key);
  }
}

/** See {@link KeptInstall.sizeBytes}. */
async function countedSizeOf(layer: string, signal: AbortSignal): Promise<number> {
  const options = { timeoutMs: copyTimeoutMs, signal };
  return (await sizeOfTree(layer, options)) + (await countOfTree(layer, options)) * inodeBytes;
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** Returns the paths of everything in the directories of accounts. */
async function pathsIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  for (const accountId of await namesIn(directory)) {
    const account = join(directory, accountId);
    for (const name of await namesIn(account)) paths.push(join(account, name));
  }
  return paths;
}
