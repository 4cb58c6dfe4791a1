import assert from "node:assert/strict";
import { test } from "node:test";
import { CompiledQuery } from "kysely";
import { openDatabase } from "./open-database.ts";
import { transact } from "../store.ts";
import { RowCache } from "./row-cache.ts";
import { findSetting, saveSetting } from "../tables/setting.ts";

test("a value is read once until it changes", async () => {
  const cache = new RowCache();
  let count = 0;
  const read = async () => ({ count: ++count });
  assert.deepEqual(await cache.find("a", read), { count: 1 });
  assert.deepEqual(await cache.find("a", read), { count: 1 });
  cache.forget("b");
  assert.deepEqual(await cache.find("a", read), { count: 1 });
  cache.forget("a");
  assert.deepEqual(await cache.find("a", read), { count: 2 });
  cache.forgetAll();
  assert.deepEqual(await cache.find("a", read), { count: 3 });
});

test("what was read before a change that came meanwhile is not kept, and who asks after it does not get it", async () => {
  const cache = new RowCache();
  const old = Promise.withResolvers<{ value: string }>();
  const reading = cache.find("a", () => old.promise);
  cache.forget("a");
  const after = cache.find("a", async () => ({ value: "new" }));
  old.resolve({ value: "old" });
  assert.deepEqual([await reading, await after], [{ value: "old" }, { value: "new" }]);
  assert.deepEqual(await cache.find("a", async () => ({ value: "new" })), { value: "new" });
});

test("what is missing is looked for again", async () => {
  const cache = new RowCache();
  assert.equal(await cache.find("a", async () => undefined), undefined);
  assert.deepEqual(await cache.find("a", async () => ({ value: 1 })), { value: 1 });
});

test("who asks while it is being read waits for that", async () => {
  const cache = new RowCache();
  let count = 0;
  const read = async () => ({ count: ++count });
  assert.deepEqual(await Promise.all([cache.find("a", read), cache.find("a", read)]), [
    { count: 1 },
    { count: 1 },
  ]);
});

test("a transaction reads what it sees, and leaves nothing of it in the cache", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const read = (reader: Parameters<typeof findSetting>[0]) =>
    reader.cached("key", () => findSetting(reader, "name"));
  await transact(db, (tx) => saveSetting(tx, "name", "before"));
  assert.equal(await read(db), "before");
  const undone = transact(db, async (tx) => {
    await saveSetting(tx, "name", "inside");
    assert.equal(await read(tx), "inside");
    throw new Error("refused");
  });
  await assert.rejects(undone, /refused/);
  assert.equal(await read(db), "before");
});

const inserts = [
  `insert into account (id, name, plan, created_at) values ('a', 'Ana', 'Free', 0)`,
  `insert into api_key (id, account_id, name, prefix, hash, scopes, created_at) values ('k', 'a', 'key', 'svc_', 'hash', '[]', 0)`,
  `insert into host (id, name, public_key, desired_revision, taken_sequence, created_at) values ('h', 'host', 'public', 1, 0, 0)`,
  `insert into project (id, account_id, name, description, type, settings, memory_mb, subdomain, served_subdomain, run, restart_count, version_number, created_at, updated_at)
   values ('p', 'a', 'site', '', 'site', '{}', 64, 'shop', 'shop', 'off', 0, 1, 0, 0)`,
  `insert into placement (project_id, host_id, generation) values ('p', 'h', 1)`,
  `insert into person (id, account_id, name, email, email_verified, created_at, updated_at) values ('x', 'a', 'Ana', 'ana@example.org', 0, 0, 0)`,
  `insert into session (id, person_id, token_hash, expires_at, created_at, updated_at) values ('s', 'x', 'token', 1, 0, 0)`,
];
const keys = ["project p", "subdomain shop", "subdomain store", "key hash", "session token"];

const changes: [statement: string, forgotten: string[]][] = [
  [`update project set description = 'new' where id = 'p'`, ["project p", "subdomain shop"]],
  [`update project set subdomain = 'store' where id = 'p'`, ["project p", "subdomain shop"]],
  [
    `update project set served_subdomain = 'store' where id = 'p'`,
    ["project p", "subdomain shop", "subdomain store"],
  ],
  [`update placement set observed = null where project_id = 'p'`, ["project p"]],
  [`update api_key set revoked_at = 1 where id = 'k'`, ["key hash"]],
  [`update session set expires_at = 2 where id = 's'`, ["session token"]],
  [`delete from session where id = 's'`, ["session token"]],
  [`update account set plan = 'Stack' where id = 'a'`, keys],
  [`update person set name = 'Bia' where id = 'x'`, keys],
  [`update host set taken_sequence = 1 where id = 'h'`, []],
  [`delete from project where id = 'p'`, ["project p", "subdomain store"]],
];

test("what is cached of a row is forgotten when the row changes, and nothing else is", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement));
  for (const statement of inserts) await run(statement);
  for (const [statement, forgotten] of changes) {
    for (const key of keys) await db.cached(key, async () => ({ key }));
    await run(statement);
    const isKept = async (key: string) =>
      (await db.cached(key, async () => ({ key: "read again" })))?.key === key;
    const gone: string[] = [];
    for (const key of keys) if (!(await isKept(key))) gone.push(key);
    assert.deepEqual(gone.toSorted(), forgotten.toSorted(), statement);
    await run(`update account set name = name where id = 'a'`); // drops all
  }
});
