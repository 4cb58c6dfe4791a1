/**
 * Central's database on a disk that is full: whoever changes something is told why, what was there stays, and
 * with room again it goes on.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { openDatabase } from "../../../central/src/store/sqlite/open-database.ts";
import { transact } from "../../../central/src/store/store.ts";
import { findSetting, saveSetting } from "../../../central/src/store/tables/setting.ts";
import { fillDisk } from "../../support/machine/small-disk.ts";

const large = "x".repeat(100_000);

test("a change that the full disk does not take is told as that, and the next one passes once there is room", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-full-disk-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(directory, { recursive: true }));
  await exec(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", directory], { timeoutMs: 10_000 });
  resources.defer(async () => void (await exec(["umount", directory], { timeoutMs: 10_000 })));
  const { db } = resources.use(await openDatabase(join(directory, "central.sqlite")));
  const save = (name: string) => transact(db, (tx) => saveSetting(tx, name, large));
  await save("before");

  const ballast = join(directory, "ballast");
  fillDisk(ballast);
  const outcomes = await Promise.allSettled([save("one"), save("two"), save("three")]);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === "rejected");
    assert.match(String(outcome.reason), /database or disk is full/);
  }
  assert.equal(await findSetting(db, "before"), large);
  assert.equal(await findSetting(db, "one"), undefined);

  await rm(ballast);
  await save("after");
  assert.equal(await findSetting(db, "after"), large);
});
