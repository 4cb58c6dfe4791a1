import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, sql } from "kysely";
import { migrate, type Migrations } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { openSqlite, sqliteDialect, Statements } from "./sqlite/open-sqlite.ts";

const first: Migrations = {
  firstNumber: 18,
  lists: [[`create table thing (id text primary key, size bigint not null)`]],
};
/** A next migration changes the schema, and the rows that are there. */
const second: Migrations = {
  firstNumber: 18,
  lists: [
    ...first.lists,
    [`alter table thing add column half bigint not null default 0`, `update thing set half = size / 2`],
  ],
};
const broken: Migrations = {
  firstNumber: 18,
  lists: [...second.lists, [`update thing set size = 0`, `alter table thing drop column nothing`]],
};

function openEmpty() {
  return new Kysely<{ thing: { id: string; size: number; half: number } }>({
    dialect: sqliteDialect(new Statements(openSqlite(":memory:"))),
  });
}

const numbersOf = async (db: ReturnType<typeof openEmpty>) =>
  (await sql<{ number: number }>`select number from migration order by number`.execute(db)).rows.map(
    ({ number }) => number,
  );

test("a next migration runs once, on a database with data, and leaves what it does not change", async () => {
  await using db = openEmpty();
  await migrate(db, first);
  await sql`insert into thing (id, size) values ('a', 10), ('b', 5)`.execute(db);
  await migrate(db, second);
  await sql`update thing set half = 7 where id = 'b'`.execute(db);
  await migrate(db, second);
  assert.deepEqual(await db.selectFrom("thing").selectAll().orderBy("id").execute(), [
    { id: "a", size: 10, half: 5 },
    { id: "b", size: 5, half: 7 },
  ]);
  assert.deepEqual(await numbersOf(db), [18, 19]);
});

test("a migration that fails half-way leaves the schema and the data of the one before", async () => {
  await using db = openEmpty();
  await migrate(db, first);
  await sql`insert into thing (id, size) values ('a', 10)`.execute(db);
  await assert.rejects(migrate(db, broken), /nothing/);
  assert.deepEqual(await db.selectFrom("thing").selectAll().execute(), [{ id: "a", size: 10, half: 5 }]);
  assert.deepEqual(await numbersOf(db), [18, 19]);
  await migrate(db, second);
  assert.deepEqual(await numbersOf(db), [18, 19], "the older program goes on with it");
});

test("a database of a newer program is refused, and nothing in it is changed", async () => {
  await using db = openEmpty();
  await migrate(db, second);
  await assert.rejects(migrate(db, first), /at schema 19, newer than this program's 18\. Start the newer/);
  assert.deepEqual(await numbersOf(db), [18, 19]);
});

/** Makes the table in which builds from before the first release counted their migrations. */
async function countUnreleased(db: ReturnType<typeof openEmpty>, taken: number): Promise<void> {
  await sql`create table migration (number integer primary key, applied_at integer not null)`.execute(db);
  for (let number = 1; number <= taken; number++)
    await sql`insert into migration (number, applied_at) values (${number}, 0)`.execute(db);
}

test("a database that took all migrations of before the first release goes on as it is; an older one is refused with what to do", async () => {
  const all = migrations.firstNumber;
  await using newest = openEmpty();
  await countUnreleased(newest, all);
  for (const statement of migrations.lists[0] ?? []) await sql.raw(statement).execute(newest);
  await sql`insert into setting (name, value) values ('name', 'value')`.execute(newest);
  await migrate(newest, { ...migrations, lists: migrations.lists.slice(0, 1) });
  assert.deepEqual((await sql`select * from setting`.execute(newest)).rows, [
    { name: "name", value: "value" },
  ]);
  assert.equal((await numbersOf(newest)).at(-1), all);

  await using older = openEmpty();
  await countUnreleased(older, all - 1);
  await assert.rejects(migrate(older, migrations), /made by a build from before the first release.*empty/);
});
