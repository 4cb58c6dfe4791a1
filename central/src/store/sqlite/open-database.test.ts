import assert from "node:assert/strict";
import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "./open-database.ts";
import { transact } from "../store.ts";
import { findSetting, saveSetting } from "../tables/setting.ts";

/** Has every sync of a file wait for the test. */
async function holdSyncs(t: TestContext): Promise<PromiseWithResolvers<void>[]> {
  const syncs: PromiseWithResolvers<void>[] = [];
  await using some = await open(tmpdir());
  t.mock.method(Object.getPrototypeOf(some) as FileHandle, "datasync", () => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  });
  return syncs;
}

test("what was written is acknowledged after a sync of the log; when that fails, it is told at once to who ends central", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-database-"));
  try {
    const syncs = await holdSyncs(t);
    const failures: unknown[] = [];
    const path = join(directory, "central.sqlite");
    await using opened = await openDatabase(path, { onDiskFailure: (cause) => failures.push(cause) });
    const told: string[] = [];
    const write = (name: string) =>
      transact(opened.db, (tx) => saveSetting(tx, name, "value")).then(() => told.push(name));
    const first = write("first");
    while ((await findSetting(opened.db, "first")) === undefined || syncs.length === 0) await delay(1);
    assert.deepEqual(told, []);
    syncs[0]?.resolve();
    await first;
    const second = write("second");
    while (syncs.length < 2) await delay(1);
    syncs[1]?.reject(new Error("EIO"));
    await assert.rejects(second, /did not take/);
    assert.deepEqual([told, failures.map(String)], [["first"], ["Error: EIO"]]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
