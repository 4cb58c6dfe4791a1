/**
 * Has central run each transaction twice, the first time in vain, as an engine with several writers does after
 * a conflict: whatever a transaction leaves outside of the database would be there twice.
 */

import { SqliteDatabase } from "../../../central/src/store/sqlite/database.ts";
import type { Transaction } from "../../../central/src/store/store.ts";

class Undone extends Error {}

/** Applies to every central in this process, until it is disposed. */
export function rerunTransactions(): Disposable {
  const { runTransaction } = SqliteDatabase.prototype;
  SqliteDatabase.prototype.runTransaction = async function <Result>(
    this: SqliteDatabase,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const inVain = async (tx: Transaction): Promise<Result> => {
      await work(tx);
      throw new Undone();
    };
    return runTransaction.call(this, inVain).catch((cause: unknown) => {
      if (!(cause instanceof Undone)) throw cause;
      return runTransaction.call(this, work);
    }) as Promise<Result>;
  };
  return {
    [Symbol.dispose]() {
      SqliteDatabase.prototype.runTransaction = runTransaction;
    },
  };
}
