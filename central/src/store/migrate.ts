/**
 * Brings a database to the newest schema. Migrations only go forward, and one that was released is never
 * changed. The statements are SQL that every engine understands.
 */

import { sql, type Kysely } from "kysely";

export interface Migrations {
  /** The number of the first list; each later one has the next number. */
  firstNumber: number;
  lists: readonly (readonly string[])[];
}

/** Runs the migrations that the database has not taken, each in a transaction of its own. */
export async function migrate<Schema>(db: Kysely<Schema>, { firstNumber, lists }: Migrations): Promise<void> {
  await sql`create table if not exists migration (number integer primary key, applied_at bigint not null)`.execute(
    db,
  );
  const { rows } = await sql<{ number: number | null }>`select max(number) as number from migration`.execute(
    db,
  );
  const current = rows[0]?.number ?? null;
  const newest = firstNumber + lists.length - 1;
  if (current !== null && current > newest) {
    throw new Error(
      `The database is at schema ${current}, newer than this program's ${newest}. Start the newer version.`,
    );
  }
  if (current !== null && current < firstNumber) {
    throw new Error(
      `The database is at schema ${current}, made by a build from before the first release; this program continues from schema ${firstNumber}. ` +
        `Start the last build before the migrations were folded into one once, which brings it to schema ${firstNumber}, or begin with an empty data directory.`,
    );
  }
  for (const [index, statements] of lists.entries()) {
    const number = firstNumber + index;
    if (current !== null && number <= current) continue;
    await db.transaction().execute(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await sql`insert into migration (number, applied_at) values (${number}, ${Date.now()})`.execute(tx);
    });
  }
}
