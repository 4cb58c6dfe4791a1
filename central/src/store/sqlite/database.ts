/** Opens central's database on SQLite: one connection, group commit, and the cache of rows. */

import type BetterSqlite3 from "better-sqlite3";
import { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { Database, Transaction } from "../store.ts";
import { Wakes, type WakeTopic } from "../wakes.ts";
import { CommitQueue, type Flush } from "./commit-queue.ts";
import { sqliteDialect, type Statements } from "./open-sqlite.ts";
import { RowCache } from "./row-cache.ts";

export class SqliteDatabase extends Kysely<Schema> implements Database {
  readonly wakes = new Wakes();
  readonly commits: CommitQueue<Schema>;
  readonly #cache = new RowCache();

  constructor(statements: Statements, flush: Flush) {
    super({ dialect: sqliteDialect(statements) });
    this.commits = new CommitQueue(this, { statements, flush });
  }

  /** Makes the cache follow the changes of this database's file. */
  cacheRowsOf(sqlite: BetterSqlite3.Database): void {
    this.#cache.follow(sqlite);
  }

  cached<Found>(key: string, read: () => Promise<Found | undefined>): Promise<Found | undefined> {
    return this.#cache.find(key, read);
  }

  runTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.commits.run((tx) => {
      const wake = (topic: WakeTopic) => tx.onCommit(() => this.wakes.wake(topic));
      const cached = <Found>(_key: string, read: () => Promise<Found>) => read();
      return work(Object.assign(tx, { wake, cached }) as unknown as Transaction);
    });
  }
}
