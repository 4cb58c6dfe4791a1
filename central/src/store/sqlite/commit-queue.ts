/**
 * Commits in groups: transactions that are requested at the same time run one after the other inside one of
 * SQLite's, each behind a savepoint, and are acknowledged once the one write to the disk that ends it is
 * complete. Meanwhile this thread goes on, and reads see the changes already.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Statements } from "./open-sqlite.ts";

/**
 * Most transactions that are committed together, so that readers and the first of a group do not wait long.
 */
const maxTogether = 64;
const maxTogetherMs = 10;
/** Most waiting transactions; more than this wait only when the disk has stopped answering. */
const maxWaiting = 10_000;

export type QueuedTransaction<Schema> = Kysely<Schema> & {
  /** Calls `work` once what the transaction wrote is on the disk; never, when it was rolled back. */
  onCommit(work: () => void): void;
};

/** Flushes to the disk what is committed by now. Once it has failed it always fails. */
export type Flush = () => Promise<void>;

export interface CommitQueueOptions {
  statements: Statements;
  flush: Flush;
}

interface Entry<Schema> {
  work(tx: QueuedTransaction<Schema>): Promise<unknown>;
  resolve(result: unknown): void;
  reject(cause: unknown): void;
}

export class CommitQueue<Schema> {
  readonly #db: Kysely<Schema>;
  readonly #statements: Statements;
  readonly #flush: Flush;
  readonly #waiting: Entry<Schema>[] = [];
  readonly #pauses: (() => Promise<void>)[] = [];
  /** Number of transactions that are committed, and not on the disk yet. */
  #unflushed = 0;
  #isRunning = false;
  /** Functions to call when the transaction that is being run is committed. */
  #onCommit: (() => void)[] = [];
  /** Reason why nothing is written any more. */
  #failure: Error | null = null;

  constructor(db: Kysely<Schema>, { statements, flush }: CommitQueueOptions) {
    this.#db = db;
    this.#statements = statements;
    this.#flush = flush;
  }

  /** Resolves once what `work` wrote is on the disk; everything it wrote is undone when it throws. */
  run<Result>(work: (tx: QueuedTransaction<Schema>) => Promise<Result>): Promise<Result> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#waiting.length + this.#unflushed >= maxWaiting)
      return Promise.reject(new Error("too many transactions wait for the disk"));
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    }) as Promise<Result>;
  }

  /** Runs `work` while no transaction is open. */
  between(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pauses.push(() => work().then(resolve, reject));
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length + this.#pauses.length > 0) {
      // SQLite answers without a turn of the event loop: without this one, nobody could come to wait
      // together.
      await nextTurn();
      await this.#pauses.shift()?.();
      if (this.#waiting.length > 0) await this.#runGroup();
    }
    this.#isRunning = false;
  }

  async #runGroup(): Promise<void> {
    const taken: Entry<Schema>[] = [];
    const acknowledgements: (() => void)[] = [];
    try {
      await this.#db.connection().execute((connection) =>
        this.#commit(async () => {
          const onCommit = (work: () => void) => void this.#onCommit.push(work);
          const tx = Object.assign(connection, { onCommit });
          const beganMs = performance.now();
          do {
            const [entry] = this.#waiting.splice(0, 1);
            if (entry === undefined) return;
            taken.push(entry);
            acknowledgements.push(await this.#runOne(tx, entry));
          } while (taken.length < maxTogether && performance.now() - beganMs < maxTogetherMs);
        }),
      );
    } catch (cause) {
      // The disk took nothing of the group.
      if (taken.length === 0) taken.push(...this.#waiting.splice(0, 1));
      for (const { reject } of taken) reject(cause);
      return;
    }
    void this.#acknowledge(taken, acknowledgements);
  }

  /** Acknowledges a group once it is on the disk; meanwhile other groups are committed. */
  async #acknowledge(
    taken: readonly Entry<Schema>[],
    acknowledgements: readonly (() => void)[],
  ): Promise<void> {
    this.#unflushed += taken.length;
    try {
      await this.#flush();
      for (const acknowledge of acknowledgements) acknowledge();
    } catch (cause) {
      // Whether the disk has it nobody knows, and a second try would not tell
      // (https://wiki.postgresql.org/wiki/Fsync_Errors).
      this.#failure ??= new Error(
        "the disk did not take what was written; nothing more is written until a restart",
        { cause },
      );
      for (const { reject } of [...taken, ...this.#waiting.splice(0)]) reject(this.#failure);
    } finally {
      this.#unflushed -= taken.length;
    }
  }

  /**
   * Commits without the library's transactions: when the disk is full SQLite ends the transaction by itself,
   * and the rollback's own error would hide that.
   */
  async #commit(work: () => Promise<void>): Promise<void> {
    this.#statements.run("begin");
    try {
      await work();
      this.#statements.run("commit");
    } catch (cause) {
      if (this.#statements.isInTransaction) this.#statements.run("rollback");
      throw cause;
    }
  }

  /**
   * Runs one transaction. Returns how its caller is notified once the group is committed. Throws only when
   * SQLite has ended the transaction as a whole.
   */
  async #runOne(
    tx: QueuedTransaction<Schema>,
    { work, resolve, reject }: Entry<Schema>,
  ): Promise<() => void> {
    this.#statements.run("savepoint work");
    const onCommit: (() => void)[] = (this.#onCommit = []);
    try {
      const result = await work(tx);
      this.#statements.run("release work");
      return () => {
        for (const call of onCommit) call();
        resolve(result);
      };
    } catch (cause) {
      if (!this.#statements.isInTransaction) throw cause;
      this.#statements.run("rollback to work");
      this.#statements.run("release work");
      return () => reject(cause);
    }
  }
}
