/** How central opens an SQLite file, and brings it to the newest schema. */

import BetterSqlite3 from "better-sqlite3";
import { SqliteDialect, SqliteQueryCompiler, sql, type Kysely, type SqliteDatabase } from "kysely";

const maxStatements = 500;

/**
 * In WAL: what was committed survives a crash of this process, and once the log is flushed, of the operating
 * system.
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
 * SQLite with STAT4 plans a join anew whenever a value is bound that the planner could have looked at, which
 * costs several times what the query does. It does not look behind an operator, and a unary plus changes no
 * value (https://www.sqlite.org/qpsg.html).
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }
}

/**
 * Runs what of `migrations` the database has not seen, each in a transaction; the position in the list is the
 * number.
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: readonly (readonly string[])[],
): Promise<void> {
  await sql`create table if not exists migration (number integer primary key, applied_at integer not null)`.execute(
    db,
  );
  const applied = await sql<{
    number: number;
  }>`select coalesce(max(number), 0) as number from migration`.execute(db);
  const current = applied.rows[0]?.number ?? 0;
  if (current > migrations.length) {
    throw new Error(
      `The database is at schema ${current}, newer than this program's ${migrations.length}. Start the newer version.`,
    );
  }
  for (const [index, statements] of migrations.entries()) {
    const number = index + 1;
    if (number <= current) continue;
    await db.transaction().execute(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await sql`insert into migration (number, applied_at) values (${number}, ${Date.now()})`.execute(tx);
    });
  }
}

/** Central's queries are few, and each is prepared once. */
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

  /** Within whatever transaction is open. Answers the rows, of a statement that has any. */
  run(text: string, parameters: readonly unknown[] = []): unknown[] {
    const statement = this.prepare(text);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  }

  /** SQLite ends one by itself when it cannot go on, as on a full disk. */
  get isInTransaction(): boolean {
    return this.#sqlite.inTransaction;
  }

  close(): void {
    this.#sqlite.close();
  }
}
