import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fastDirectory } from "../../../../test/support/machine/fast-directory.ts";
import { openDatabase } from "./open-database.ts";
import { transact } from "../store.ts";
import { findSetting, saveSetting } from "../tables/setting.ts";

/** Returns another value each time: an existing value would not be written again. */
const newValue = () => randomBytes(25_000).toString("hex");

/**
 * Runs `work` in a directory on a fast disk: the tests show how writing and copying go together, not how fast
 * the disk is.
 */
async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(fastDirectory(), "tijolo-checkpoints-"));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function recordErrors() {
  const said: string[] = [];
  return { said, logger: { error: (_fields: object, message?: string) => void said.push(message ?? "") } };
}

test("the log begins anew however much is written without a pause, and is gone with the database", async (t) => {
  await inDirectory(async (directory) => {
    const path = join(directory, "central.sqlite");
    const opened = await openDatabase(path);
    let [writtenMb, largestMb] = [0, 0];
    while (writtenMb < 1_000) {
      const names = Array.from({ length: 20 }, (_, index) => `name-${index}`);
      await Promise.all(names.map((name) => transact(opened.db, (tx) => saveSetting(tx, name, newValue()))));
      writtenMb += (names.length * newValue().length) / 2 ** 20;
      largestMb = Math.max(largestMb, statSync(`${path}-wal`).size / 2 ** 20);
    }
    t.diagnostic(`${writtenMb.toFixed(0)} MB written, ${largestMb.toFixed(0)} MB of log`);
    assert.ok(largestMb < writtenMb / 2, `${largestMb} MB`);
    await opened[Symbol.asyncDispose]();
    assert.deepEqual(readdirSync(directory), ["central.sqlite"]);
  });
});

test("a log that is worth it reaches the file itself soon, without a further commit", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "central.sqlite");
    await using opened = await openDatabase(path);
    const before = statSync(path).size;
    const values = Array.from({ length: 100 }, newValue);
    await Promise.all(
      values.map((value, index) => transact(opened.db, (tx) => saveSetting(tx, `name-${index}`, value))),
    );
    for (let waitedMs = 0; statSync(path).size < before + 4_000_000; waitedMs += 50) {
      assert.ok(waitedMs < 60_000);
      await delay(50);
    }
    assert.equal(await findSetting(opened.db, "name-99"), values[99]);
  });
});

test("a log that cannot be copied is told once, and left to SQLite", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "central.sqlite");
    const { said, logger } = recordErrors();
    await using opened = await openDatabase(path, { logger });
    renameSync(path, `${path}.elsewhere`); // the thread finds no database there
    const write = (index: number) =>
      transact(opened.db, (tx) => saveSetting(tx, `name-${index}`, newValue()));
    for (let waitedMs = 0; said.length === 0; waitedMs += 50) {
      assert.ok(waitedMs < 60_000);
      await Promise.all(Array.from({ length: 50 }, (_, index) => write(index)));
      await delay(50);
    }
    await write(0);
    assert.deepEqual(said, [
      "the database's log could not be copied into its file; until a restart SQLite does it",
    ]);
    renameSync(`${path}.elsewhere`, path);
  });
});

test("a transaction that takes long is no reason to give the thread up", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "central.sqlite");
    const { said, logger } = recordErrors();
    await using opened = await openDatabase(path, { logger });
    const before = statSync(path).size;
    const write = (index: number) =>
      transact(opened.db, (tx) => saveSetting(tx, `name-${index}`, newValue()));
    await Promise.all(Array.from({ length: 100 }, (_, index) => write(index)));
    await transact(opened.db, () => delay(1_500));
    for (let waitedMs = 0; statSync(path).size < before + 4_000_000; waitedMs += 50) {
      assert.ok(waitedMs < 60_000);
      await delay(50);
    }
    assert.deepEqual(said, []);
  });
});
