/** Opens central's database file and brings it to the newest schema. */

import BetterSqlite3 from "better-sqlite3";
import { SqliteDialect, sql, type SqliteDatabase } from "kysely";
import { migrations } from "./migrations.ts";
import { Database, type Transaction } from "./schema.ts";

const maxStatements = 500;

export interface OpenedDatabase extends AsyncDisposable {
  db: Database;
}

/** WAL with `synchronous=FULL`: what was acknowledged survives a crash of the operating system. */
export async function openDatabase(path: string): Promise<OpenedDatabase> {
  const sqlite = new BetterSqlite3(path);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("busy_timeout = 5000");
  const db = new Database({ dialect: new SqliteDialect({ database: withKeptStatements(sqlite) }) });
  await migrate(db);
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy();
    },
  };
}

/** Runs `work` in one transaction; everything it wrote is undone when it throws. */
export async function transact<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction().execute((tx) => work(tx as Transaction));
  } finally {
    db.recent.forget();
  }
}

/** Central's queries are few, and each is prepared once. */
function withKeptStatements(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const kept = new Map<string, BetterSqlite3.Statement>();
  return {
    prepare(text) {
      const known = kept.get(text);
      if (known !== undefined) return known;
      if (kept.size >= maxStatements) kept.clear();
      const statement = sqlite.prepare(text);
      kept.set(text, statement);
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

async function migrate(db: Database): Promise<void> {
  await sql`create table if not exists migration (number integer primary key, applied_at integer not null)`.execute(db);
  const applied = await sql<{ number: number }>`select coalesce(max(number), 0) as number from migration`.execute(db);
  const current = applied.rows[0]?.number ?? 0;
  if (current > migrations.length) {
    throw new Error(`The database is at schema ${current}, newer than this program's ${migrations.length}. Start the newer version.`);
  }
  for (const [index, statements] of migrations.entries()) {
    const number = index + 1;
    if (number <= current) continue;
    await transact(db, async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await sql`insert into migration (number, applied_at) values (${number}, ${Date.now()})`.execute(tx);
    });
  }
}
