import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, sql } from "kysely";
import { openSqlite, sqliteDialect, Statements } from "./open-sqlite.ts";

test("values reach a query as they are, and its plan does not hang on them", async () => {
  const db = new Kysely<{ thing: { id: string; size: number | null; content: Uint8Array } }>({
    dialect: sqliteDialect(new Statements(openSqlite(":memory:"))),
  });
  await sql`create table thing (id text primary key, size integer, content blob)`.execute(db);
  const things = [
    { id: "10", size: 10, content: Buffer.from([0, 255]) },
    { id: "x", size: null, content: Buffer.from([]) },
  ];
  await db.insertInto("thing").values(things).execute();
  const query = db
    .selectFrom("thing")
    .innerJoin("thing as other", "other.id", "thing.id")
    .selectAll("thing")
    .where("thing.id", "=", "10");
  assert.match(query.compile().sql, /= \+\?$/);
  assert.deepEqual(await query.execute(), [things[0]]);
  assert.deepEqual(
    await db.selectFrom("thing").selectAll().where("id", "in", ["10", "x"]).orderBy("id").limit(5).execute(),
    things,
  );
  await db.destroy();
});
