import assert from "node:assert/strict";
import { test } from "node:test";
import { findHost, insertHost } from "../../store/tables/hosts/host.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact } from "../../store/store.ts";
import { HostStates } from "./host-states.ts";

async function openStates() {
  const opened = await openDatabase(":memory:");
  const { db } = opened;
  let now = 1_000_000;
  const states = new HostStates(db, { now: () => now });
  for (const id of ["a", "b"])
    await transact(db, (tx) => insertHost(tx, { id, name: id, publicKey: id, createdAt: now }));
  /** Returns what the database has after the next save. */
  const saved = async (id: string) => {
    await states.save();
    return (await findHost(db, id))?.lastSeenAt;
  };
  return {
    states,
    saved,
    pass: (ms: number) => (now += ms),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test("a host that is heard all the time is saved once in a minute; one that goes, at once", async () => {
  await using opened = await openStates();
  const { states, saved, pass } = opened;
  states.welcomed("a");
  states.connected("a");
  pass(59_000);
  states.heard("a");
  assert.equal(await saved("a"), null, "its hello has been written a moment ago");
  pass(1_000);
  states.heard("a");
  assert.equal(await saved("a"), 1_060_000);
  pass(30_000);
  states.heard("a");
  assert.equal(await saved("a"), 1_060_000);
  states.disconnected("a");
  pass(3_000);
  assert.equal(await saved("a"), 1_090_000, "when it was heard, not when it was gone");
  assert.equal(await saved("b"), null);
});

test("what could not be written is written the next time", async () => {
  await using opened = await openStates();
  const { states, saved, pass } = opened;
  states.welcomed("a");
  states.connected("a");
  pass(60_000);
  states.heard("a");
  const first = states.save();
  pass(5_000);
  states.heard("a");
  states.disconnected("a");
  await first;
  assert.equal(await saved("a"), 1_065_000, "what is heard while it is written is not lost");
});
