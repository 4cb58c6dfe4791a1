/**
 * Central runs on SQLite. These tests show that nothing in the store but its folder for SQLite hangs on that:
 * PostgreSQL takes the same migrations and the same statements, and answers them alike.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Kysely, sql } from "kysely";
import { migrate } from "../../../central/src/store/migrate.ts";
import { openDatabase } from "../../../central/src/store/sqlite/open-database.ts";
import { openMetrics } from "../../../central/src/store/sqlite/open-metrics.ts";
import { transact, type Transaction } from "../../../central/src/store/store.ts";
import { PostgresServer } from "../support/store/postgres-server.ts";
import {
  openPostgresDatabase,
  openPostgresMetrics,
  postgresDialect,
  type PostgresDatabase,
} from "../support/store/postgres-store.ts";
import { insertAccount } from "../../../central/src/store/tables/accounts/account.ts";
import {
  findHost,
  insertHost,
  insertJoinToken,
  isHostNameTaken,
  useJoinToken,
} from "../../../central/src/store/tables/hosts/host.ts";
import { countKeys, insertKey } from "../../../central/src/store/tables/people/key.ts";
import { called, metricCalls, tableCalls } from "./table-calls.ts";

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

/** Runs the calls on one engine after the other. A call that fails, or returns something else, is named. */
async function assertSameResults<Call>(
  calls: readonly Call[],
  engines: { postgres: (call: Call) => Promise<unknown>; sqlite: (call: Call) => Promise<unknown> },
): Promise<void> {
  const resultsOf = async (run: (call: Call) => Promise<unknown>) => {
    const results: { call: string; result: unknown }[] = [];
    for (const call of calls) {
      const result = await run(call).catch((cause: unknown) => {
        throw new Error(`failed: ${String(call)}`, { cause });
      });
      results.push({ call: String(call), result });
    }
    return results;
  };
  const expected = await resultsOf(engines.sqlite);
  const actual = await resultsOf(engines.postgres);
  const isDifferent = (_: unknown, index: number) => !isDeepStrictEqual(actual[index], expected[index]);
  assert.deepEqual(actual.filter(isDifferent), expected.filter(isDifferent));
}

test("PostgreSQL answers every statement of the tables as SQLite does", async () => {
  await using opened = await openDatabase(":memory:");
  await using db = await openPostgresDatabase(server, "central");
  await assertSameResults(tableCalls, {
    postgres: (call) => transact(db, call),
    sqlite: (call) => transact(opened.db, call),
  });
});

test("PostgreSQL answers every statement of metrics as SQLite does", async () => {
  await using opened = await openMetrics(":memory:");
  await using db = await openPostgresMetrics(server);
  await assertSameResults(metricCalls, {
    postgres: (call) => call(db),
    sqlite: (call) => call(opened.metrics),
  });
});

/** Exported beside the SQL, and issue none. */
const withoutStatements = [
  "accountOfRow",
  "parseObserved",
  "parseSettings",
  "parseSiteSettings",
  "reservedMemoryOf",
];

test("every function of the tables and of metrics is among those that are called", async () => {
  const exported: string[] = [];
  for (const folder of ["tables", "metrics"]) {
    const directory = new URL(`../../../central/src/store/${folder}/`, import.meta.url);
    for (const file of await readdir(directory, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      if (file.endsWith(".test.ts") || file === "migrations.ts" || file === "schema.ts") continue;
      const module = (await import(new URL(file, directory).href)) as Record<string, unknown>;
      exported.push(...Object.keys(module).filter((name) => typeof module[name] === "function"));
    }
  }
  assert.ok(exported.length > 100);
  assert.deepEqual(
    exported.filter((name) => !called.has(name)).toSorted(),
    withoutStatements,
    "add calls of the new functions to table-calls.ts",
  );
});

test("a next migration runs on PostgreSQL too, and one that fails half-way leaves nothing", async () => {
  await using db = new Kysely<{ thing: { id: string; size: number } }>({
    dialect: await postgresDialect(server, "next"),
  });
  const first = [`create table thing (id text primary key, size bigint not null)`];
  const second = [
    `alter table thing add column half bigint not null default 0`,
    `update thing set half = size / 2`,
  ];
  const broken = [`update thing set size = 0`, `alter table thing drop column nothing`];
  await migrate(db, { firstNumber: 1, lists: [first] });
  await sql`insert into thing (id, size) values ('a', 10)`.execute(db);
  await assert.rejects(migrate(db, { firstNumber: 1, lists: [first, second, broken] }), /nothing/);
  assert.deepEqual(await db.selectFrom("thing").selectAll().execute(), [{ id: "a", size: 10, half: 5 }]);
  await assert.rejects(migrate(db, { firstNumber: 1, lists: [first] }), /newer than this program's 1/);
});

/** Runs that many transactions at the same time; resolves with the results of those that did not refuse. */
async function together<Result>(
  db: PostgresDatabase,
  count: number,
  work: (tx: Transaction, index: number) => Promise<Result>,
): Promise<Result[]> {
  const runs = Array.from({ length: count }, (_, index) => transact(db, (tx) => work(tx, index)));
  const ends = await Promise.allSettled(runs);
  return ends.flatMap((end) => {
    if (end.status === "fulfilled") return [end.value];
    assert.match(String(end.reason), /refused/);
    return [];
  });
}

test("with several writers at once, what is decided by a count, a name or a token is decided once", async () => {
  await using db = await openPostgresDatabase(server, "writers");
  await transact(db, async (tx) => {
    const standing = { suspendedAt: null, stopsAt: null, betaEndsAt: null };
    await insertAccount(tx, { id: "a1", name: "Ana", plan: "Free", ...standing, createdAt: 0 });
    await insertJoinToken(tx, { hash: "token", expiresAt: 1, createdAt: 0 });
  });
  const keys = await together(db, 20, async (tx, index) => {
    if ((await countKeys(tx, "a1")) >= 5) throw new Error("refused");
    const own = { id: `k${index}`, hash: `k${index}`, accountId: "a1", name: "", prefix: "", scopes: [] };
    await insertKey(tx, { ...own, createdAt: 0, lastUsedAt: null });
  });
  assert.deepEqual([keys.length, await countKeys(db, "a1")], [5, 5]);
  const joined = await together(db, 20, (tx) => useJoinToken(tx, "token", 0));
  assert.equal(joined.filter((token) => token !== undefined).length, 1);
  await together(db, 20, async (tx, index) => {
    const name = (await isHostNameTaken(tx, "host")) ? `host-${index}` : "host";
    await insertHost(tx, { id: `h${index}`, name, publicKey: `h${index}`, createdAt: 0 });
  });
  const names = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => (await findHost(db, `h${index}`))?.name),
  );
  assert.equal(names.filter((name) => name === "host").length, 1);
  assert.ok(db.conflicts > 0, "no two transactions met");
});
