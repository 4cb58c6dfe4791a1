/**
 * Copies the write-ahead log into the database file, on a thread of its own: SQLite would do it at the end of
 * a commit, for as long as the disk takes, and no request would be answered meanwhile
 * (https://www.sqlite.org/wal.html#ckpt).
 */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type BetterSqlite3 from "better-sqlite3";
import type { Logger } from "pino";

export type CheckpointResult = { framesCopied: number } | { reason: string };

/** Milliseconds after a commit until the log is checked. */
const everyMs = 500;
const frameBytes = 4_096;
/** Pages below which the log stays as it is: what is written over and over is copied once. */
const minFrames = 1_000;
/**
 * Frames, 128 MB, above which the log is copied to its end, with no transaction meanwhile: only then does the
 * next transaction begin the log anew.
 */
const maxFrames = 32_000;
/**
 * Frames down to which the log is copied, and the copy synced, before that; more stay only when they come
 * faster than that.
 */
const fewFrames = 200;
const maxPasses = 5;
/** Milliseconds after which the idle thread ends; it takes some 16 MB and a dozen descriptors. */
const idleMs = 10_000;

export interface CheckpointOptions {
  /** Runs `work` while no transaction is open. */
  between: (work: () => Promise<void>) => Promise<void>;
  /** Syncs the database file: SQLite does so only with a copy that reaches the log's end. */
  syncFile: () => Promise<void>;
  logger: Pick<Logger, "error">;
}

interface Thread {
  worker: Worker;
  /** Aborted when the thread has ended, however that came. */
  ended: AbortSignal;
}

export class Checkpoints implements AsyncDisposable {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #options: CheckpointOptions;
  #thread: Thread | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** True when a commit came since the log was checked last. */
  #isNoted = false;
  #underWay: Promise<void> | null = null;
  #isClosed = false;

  constructor(sqlite: BetterSqlite3.Database, options: CheckpointOptions) {
    this.#sqlite = sqlite;
    this.#options = options;
    sqlite.pragma("wal_autocheckpoint = 0");
    sqlite.pragma(`journal_size_limit = ${maxFrames * frameBytes}`);
  }

  /** Must be called after a commit. */
  noteCommit(): void {
    if (this.#isNoted || this.#isClosed) return;
    this.#isNoted = true;
    if (this.#underWay === null) this.#wait();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#underWay;
    await this.#endThread();
  }

  #wait(): void {
    const run = () => {
      this.#isNoted = false;
      this.#underWay = this.#copy().finally(() => {
        this.#underWay = null;
        if (this.#isNoted && !this.#isClosed) this.#wait();
      });
    };
    this.#timer = setTimeout(run, everyMs).unref();
  }

  /** Copies the log; never rejects. */
  async #copy(): Promise<void> {
    const { between, syncFile } = this.#options;
    try {
      if ((await this.#framesInLog()) < minFrames) return;
      let copied = await this.#checkpoint();
      if (copied <= maxFrames) return;
      await syncFile();
      for (let pass = 1; pass < maxPasses && (await this.#framesInLog()) - copied > fewFrames; pass++) {
        copied = await this.#checkpoint();
        await syncFile();
      }
      await between(async () => void (await this.#checkpoint()));
    } catch (error) {
      this.#leaveToSqlite(error);
    }
  }

  async #framesInLog(): Promise<number> {
    let frames = 0;
    // Not while a transaction is open: SQLite refuses to look then.
    await this.#options.between(async () => {
      const [counts] = this.#sqlite.pragma("wal_checkpoint(NOOP)") as { log: number }[];
      frames = counts?.log ?? 0;
    });
    return frames;
  }

  /** Returns how much of the log is in the file too: all, as of when it began. */
  async #checkpoint(): Promise<number> {
    clearTimeout(this.#idleTimer);
    const { worker, ended } = (this.#thread ??= this.#startThread());
    worker.postMessage("checkpoint");
    const [result] = (await once(worker, "message", { signal: ended })) as [CheckpointResult];
    if ("reason" in result) throw new Error(result.reason);
    this.#idleTimer = setTimeout(() => void this.#endThread(), idleMs).unref();
    return result.framesCopied;
  }

  #startThread(): Thread {
    const worker = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), {
      workerData: { path: this.#sqlite.name },
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    });
    worker.unref();
    const ended = new AbortController();
    worker.on("error", (error) => ended.abort(error));
    worker.on("exit", () => {
      ended.abort();
      if (this.#thread?.worker === worker) this.#thread = null;
    });
    return { worker, ended: ended.signal };
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.worker.terminate();
  }

  #leaveToSqlite(error: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sqlite.pragma("wal_autocheckpoint = 1000");
    this.#options.logger.error(
      { err: error },
      "the database's log could not be copied into its file; until a restart SQLite does it",
    );
    void this.#endThread();
  }
}
