/**
 * Defines the interface to what central stores: reads, and transactions that wake whoever waits for what they
 * changed. Nothing here or above knows which engine there is.
 */

import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { WakeTopic, Wakes } from "./wakes.ts";

interface CachedReads {
  /**
   * Returns what `read` returns. Outside of a transaction the result may be cached, as of the last commit; so
   * callers must not modify it. `key` names the row by which the engine knows that it changed.
   */
  cached<Found>(key: string, read: () => Promise<Found | undefined>): Promise<Found | undefined>;
}

export interface Database extends Kysely<Schema>, CachedReads {
  readonly wakes: Wakes;
  /** Implements {@link transact}. */
  runTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

declare const transactionBrand: unique symbol;

/**
 * A transaction, made only by {@link transact}: a function that asks for it cannot be called outside a
 * transaction.
 */
export interface Transaction extends Kysely<Schema>, CachedReads {
  readonly [transactionBrand]: true;
  /** Calls `call` once what the transaction wrote is on the disk; never, when it was rolled back. */
  onCommit(call: () => void): void;
  /** Wakes those who wait for the topic, once the transaction is committed. */
  wake(topic: WakeTopic): void;
}

/** Reads may run inside or outside a transaction. */
export type Reader = Database | Transaction;

/**
 * Runs `work` in one transaction, and resolves once what it wrote is on the disk; everything it wrote is undone
 * when it throws. Others may be committed together with it.
 *
 * Transactions are serializable: their result is as if one had run after the other. Sums and counts (quotas, the
 * memory of hosts, keys of an account) rely on that; names, e-mails, subdomains, hashes and join tokens are also
 * decided by unique indexes and conditional updates. An engine with several writers may run `work` again after a
 * conflict, which a violated unique index is, too. So `work` reads all that it decides by inside the
 * transaction, and leaves nothing outside of the database but its result and what it gives to `onCommit`.
 */
export function transact<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db.runTransaction(work);
}
