/** Opens SQLite files, and runs statements on them. */

import BetterSqlite3 from "better-sqlite3";
import { SqliteDialect, SqliteQueryCompiler, type SqliteDatabase } from "kysely";

const maxStatements = 500;

/**
 * Opens the file in WAL mode: what was committed survives a crash of this process, and once the log is
 * flushed, of the operating system.
 */
export function openSqlite(path: string): BetterSqlite3.Database {
  const sqlite = new BetterSqlite3(path);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = NORMAL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("busy_timeout = 5000");
  return sqlite;
}

export function sqliteDialect(statements: Statements): SqliteDialect {
  return new PlannedOnceDialect({ database: statements });
}

class PlannedOnceDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new PlannedOnceCompiler();
  }
}

/**
 * Compiles queries so that SQLite plans them once. SQLite with STAT4 plans a join anew whenever a value is
 * bound that the planner could have looked at, which costs several times what the query does. It does not
 * look behind an operator, and a unary plus changes no value (https://www.sqlite.org/qpsg.html).
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }
}

/** Caches prepared statements: central's queries are few, and each is prepared once. */
export class Statements implements SqliteDatabase {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #kept = new Map<string, BetterSqlite3.Statement>();

  constructor(sqlite: BetterSqlite3.Database) {
    this.#sqlite = sqlite;
  }

  prepare(text: string): BetterSqlite3.Statement {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    if (this.#kept.size >= maxStatements) this.#kept.clear();
    const statement = this.#sqlite.prepare(text);
    this.#kept.set(text, statement);
    return statement;
  }

  /** Runs a statement within the open transaction, if any. Returns the rows, of a statement that has any. */
  run(text: string, parameters: readonly unknown[] = []): unknown[] {
    const statement = this.prepare(text);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  }

  /** True while a transaction is open: SQLite ends one by itself when it cannot go on, as on a full disk. */
  get isInTransaction(): boolean {
    return this.#sqlite.inTransaction;
  }

  close(): void {
    this.#sqlite.close();
  }
}
