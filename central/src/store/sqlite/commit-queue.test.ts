import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { CompiledQuery } from "kysely";
import { migrations } from "../migrations.ts";
import { openDatabase } from "./open-database.ts";
import { transact } from "../store.ts";
import { migrate } from "../migrate.ts";
import { openSqlite, Statements } from "./open-sqlite.ts";
import { SqliteDatabase } from "./database.ts";
import { findSetting, saveSetting } from "../tables/setting.ts";

test("a transaction that fails takes nothing of its neighbours with it, and leaves nothing itself", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      transact(db, async (tx) => {
        await saveSetting(tx, `name-${index}`, "value");
        if (index % 3 === 0) throw new Error("refused");
        return index;
      }),
    ),
  );
  for (const [index, result] of results.entries()) {
    assert.deepEqual(result.status, index % 3 === 0 ? "rejected" : "fulfilled");
    assert.equal(await findSetting(db, `name-${index}`), index % 3 === 0 ? undefined : "value");
  }
});

test("each transaction sees what those before it wrote", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const add = () =>
    transact(db, async (tx) => {
      const count = Number((await findSetting(tx, "count")) ?? 0);
      if (count >= 10) throw new Error("full");
      await saveSetting(tx, "count", String(count + 1));
    });
  const results = await Promise.allSettled(Array.from({ length: 50 }, add));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 10);
  assert.equal(await findSetting(db, "count"), "10");
});

test("what waits for a commit is called once it is on the disk, and never for what was undone", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const woken: string[] = [];
  db.wakes.on("host:kept", () => woken.push("kept"));
  db.wakes.on("host:undone", () => woken.push("undone"));
  const kept = transact(db, async (tx) => {
    tx.wake("host:kept");
    await saveSetting(tx, "name", "value");
    assert.deepEqual(woken, []);
  });
  const undone = transact(db, async (tx) => {
    tx.wake("host:undone");
    await saveSetting(tx, "name", "other");
    throw new Error("refused");
  });
  await Promise.allSettled([kept, undone]);
  assert.deepEqual(woken, ["kept"]);
});

test("who is told that it is written can read it with another connection", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-commits-"));
  try {
    const path = join(directory, "central.sqlite");
    await using opened = await openDatabase(path);
    const other = new BetterSqlite3(path, { readonly: true });
    const read = other.prepare("select value from setting where name = ?");
    const write = async (name: string) => {
      await transact(opened.db, (tx) => saveSetting(tx, name, "value"));
      assert.deepEqual(read.get(name), { value: "value" });
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(`name-${index}`)));
    other.close();
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("when the group cannot be committed, everyone in it is told, and the next group goes on", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  // A key that does not exist is only noticed at the end of the transaction.
  const breakAtCommit = transact(db, async (tx) => {
    await tx.executeQuery(CompiledQuery.raw("pragma defer_foreign_keys = on"));
    await tx.executeQuery(
      CompiledQuery.raw("insert into placement (project_id, host_id, generation) values ('none', 'none', 1)"),
    );
  });
  const neighbour = transact(db, (tx) => saveSetting(tx, "name", "value"));
  await assert.rejects(breakAtCommit, /FOREIGN KEY/);
  await assert.rejects(neighbour, /FOREIGN KEY/);
  assert.equal(await findSetting(db, "name"), undefined);
  await transact(db, (tx) => saveSetting(tx, "name", "again"));
  assert.equal(await findSetting(db, "name"), "again");
});

test("when SQLite itself ends the transaction, everyone in it is told why, and the next group goes on", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const full = transact(db, async (tx) => {
    await saveSetting(tx, "name", "value");
    await tx.executeQuery(CompiledQuery.raw("rollback")); // as SQLite does by itself when the disk is full
    throw new Error("the disk is full");
  });
  const neighbour = transact(db, (tx) => saveSetting(tx, "other", "value"));
  await assert.rejects(full, /the disk is full/);
  await neighbour.catch((cause: unknown) => assert.match(String(cause), /the disk is full/));
  assert.equal(await findSetting(db, "name"), undefined);
  await transact(db, (tx) => saveSetting(tx, "name", "again"));
  assert.equal(await findSetting(db, "name"), "again");
});

/** Opens a database whose disk finishes a write when the test says so. */
async function onSlowDisk(): Promise<
  {
    db: SqliteDatabase;
    disk: PromiseWithResolvers<void>[];
    isAsked: (times: number) => Promise<void>;
  } & AsyncDisposable
> {
  const disk: PromiseWithResolvers<void>[] = [];
  const flush = () => {
    const flushed = Promise.withResolvers<void>();
    disk.push(flushed);
    return flushed.promise;
  };
  const db = new SqliteDatabase(new Statements(openSqlite(":memory:")), flush);
  await migrate(db, migrations);
  const isAsked = async (times: number) => {
    while (disk.length < times) await nextTurn();
  };
  return { db, disk, isAsked, [Symbol.asyncDispose]: () => db.destroy() };
}

test("nobody is told before the disk has it, and the next group is not held up by that", async () => {
  await using slow = await onSlowDisk();
  const { db, disk, isAsked } = slow;
  const told: string[] = [];
  const write = (name: string) =>
    transact(db, (tx) => saveSetting(tx, name, "value")).then(() => told.push(name));
  const first = write("first");
  await isAsked(1);
  const second = write("second");
  await isAsked(2);
  assert.deepEqual([told, await findSetting(db, "second")], [[], "value"]);
  disk[0]?.resolve();
  await first;
  assert.deepEqual(told, ["first"]);
  disk[1]?.resolve();
  await second;
});

test("when the disk did not take a group, it is told, and nothing more is written: nobody knows what is on it", async () => {
  await using slow = await onSlowDisk();
  const { db, disk, isAsked } = slow;
  const lost = transact(db, (tx) => saveSetting(tx, "name", "value"));
  await isAsked(1);
  const behind = transact(db, (tx) => saveSetting(tx, "other", "value"));
  await isAsked(2);
  disk[0]?.reject(new Error("EIO"));
  await assert.rejects(lost, /did not take/);
  disk[1]?.reject(new Error("EIO"));
  await assert.rejects(behind, /did not take/);
  await assert.rejects(
    transact(db, (tx) => saveSetting(tx, "name", "again")),
    /nothing more is written until a restart/,
  );
  assert.equal(await findSetting(db, "name"), "value");
});

test("work between transactions has them wait, also when it fails", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const done: string[] = [];
  const pause = db.commits.between(async () => {
    await nextTurn();
    done.push("pause");
    throw new Error("refused");
  });
  const write = transact(db, (tx) => saveSetting(tx, "name", "value")).then(() => done.push("write"));
  await assert.rejects(pause, /refused/);
  await write;
  assert.deepEqual(done, ["pause", "write"]);
});
