import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { AppError } from "@tijolo/protocol";
import { sql } from "kysely";
import { pino } from "pino";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact } from "../../store/store.ts";
import { findVariables, saveVariables } from "../../store/tables/projects/variable.ts";
import { MasterKeyRotation } from "./master-key-rotation.ts";
import { makeMasterKey, type MasterKeys } from "./master-keys.ts";
import { variablesContext } from "./variables-context.ts";
import { Vault } from "./vault.ts";
import { rerunTransactions } from "../../../../test/support/cluster/rerun-transactions.ts";

const clock = { now: () => 0 };
const logger = pino({ level: "silent" });
const newKey = () => makeMasterKey({ clock, random: randomBytes });

/** Opens a store with documents of projects `p00`, `p01` … sealed by `vault`. */
async function openStore() {
  const opened = await openDatabase(":memory:");
  const { db } = opened;
  await sql`pragma foreign_keys = off`.execute(db);
  const write = (vault: Vault, from: number, to: number) =>
    transact(db, async (tx) => {
      for (let index = from; index < to; index++) {
        const projectId = `p${String(index).padStart(2, "0")}`;
        await saveVariables(tx, {
          projectId,
          revision: `r${index}`,
          sealed: vault.seal(variablesContext(projectId), `text ${index}`),
        });
      }
    });
  const read = async (vault: Vault, index: number) => {
    const projectId = `p${String(index).padStart(2, "0")}`;
    const row = await findVariables(db, projectId);
    assert.ok(row !== undefined);
    return {
      keyId: row.sealed.keyId,
      revision: row.revision,
      text: vault.open(variablesContext(projectId), row.sealed),
    };
  };
  return { opened, db, write, read };
}

test("a key of central's own is written before anything is sealed by it, and the old one goes when nothing needs it", async () => {
  const { opened, db, write, read } = await openStore();
  await using _ = opened;
  const old = newKey();
  const vault = new Vault([old], randomBytes);
  await write(vault, 0, 45);
  const saved: string[][] = [];
  const save = async (keys: MasterKeys) => {
    saved.push(keys.map(({ id }) => id));
    const bySaved = await db.selectFrom("project_variables").select("key_id").distinct().execute();
    for (const { key_id: id } of bySaved)
      assert.ok(
        keys.some((key) => key.id === id),
        "no document is without its key",
      );
  };
  const rotation = new MasterKeyRotation(
    { db, vault, clock, random: randomBytes, logger },
    { source: "own", keys: [old], save },
  );
  const { currentKeyId, resealed, unreadable, keys, removable } = await rotation.rotate();
  assert.ok(currentKeyId !== null);
  assert.deepEqual(saved, [[currentKeyId, old.id], [currentKeyId]]);
  assert.deepEqual([resealed, unreadable, removable], [45, 0, []]);
  assert.deepEqual(keys, [{ id: currentKeyId, isKnown: true, documents: 45 }]);
  for (const index of [0, 20, 44])
    assert.deepEqual(await read(vault, index), {
      keyId: currentKeyId,
      revision: `r${index}`,
      text: `text ${index}`,
    });
});

test("a rotation that was cut short is finished by the next central", async () => {
  const { opened, db, write, read } = await openStore();
  await using _ = opened;
  const [old, current] = [newKey(), newKey()];
  await write(new Vault([old], randomBytes), 0, 30);
  await write(new Vault([current], randomBytes), 30, 50);
  const vault = new Vault([current, old], randomBytes);
  const saved: string[][] = [];
  const save = async (keys: MasterKeys) => void saved.push(keys.map(({ id }) => id));
  const rotation = new MasterKeyRotation(
    { db, vault, clock, random: randomBytes, logger },
    { source: "own", keys: [current, old], save },
  );
  await rotation.finish();
  assert.deepEqual(saved, [[current.id]]);
  assert.ok(vault.currentKeyId === current.id && !vault.hasKey(old.id));
  assert.equal((await read(vault, 0)).text, "text 0");
  await rotation.finish();
  assert.equal(saved.length, 1, "and then there is nothing left to do");
});

test("what cannot be opened stays, and its key with it; counts are right also when transactions are run again", async () => {
  using _reruns = rerunTransactions();
  const { opened, db, write, read } = await openStore();
  await using _ = opened;
  const [lost, old] = [newKey(), newKey()];
  await write(new Vault([lost], randomBytes), 0, 25);
  const vault = new Vault([old], randomBytes);
  await write(vault, 25, 50);
  await db
    .updateTable("project_variables")
    .set({ ciphertext: "AAAA" })
    .where("project_id", "=", "p30")
    .execute();
  const rotation = new MasterKeyRotation(
    { db, vault, clock, random: randomBytes, logger },
    { source: "own", keys: [old], save: async () => {} },
  );
  const { currentKeyId, resealed, unreadable, keys } = await rotation.rotate();
  assert.deepEqual([resealed, unreadable], [24, 26]);
  assert.deepEqual(keys, [
    { id: currentKeyId, isKnown: true, documents: 24 },
    { id: old.id, isKnown: true, documents: 1 },
    { id: lost.id, isKnown: false, documents: 25 },
  ]);
  assert.equal((await read(vault, 49)).text, "text 49");
  assert.equal((await findVariables(db, "p30"))?.sealed.ciphertext, "AAAA");
});

test("of keys that others hand in the first is the new one, and the answer names those that may go", async () => {
  const { opened, db, write, read } = await openStore();
  await using _ = opened;
  const [old, current] = [newKey(), newKey()];
  await write(new Vault([old], randomBytes), 0, 25);
  const vault = new Vault([current, old], randomBytes);
  const parts = { db, vault, clock, random: randomBytes, logger };
  const rotation = new MasterKeyRotation(parts, { source: "environment", keys: [current, old], save: null });
  await rotation.finish();
  assert.equal((await read(vault, 0)).keyId, old.id, "it is the operator who says when");
  assert.deepEqual((await rotation.rotate()).removable, [old.id]);
  assert.equal((await read(vault, 0)).keyId, current.id);
  assert.deepEqual((await rotation.rotate()).resealed, 0);
});

test("rotations and a change that comes between them do not get in each other's way", async () => {
  const { opened, db, write, read } = await openStore();
  await using _ = opened;
  const old = newKey();
  const vault = new Vault([old], randomBytes);
  await write(vault, 0, 60);
  let kept: string[] = [];
  const rotation = new MasterKeyRotation(
    { db, vault, clock, random: randomBytes, logger },
    { source: "own", keys: [old], save: async (keys) => void (kept = keys.map(({ id }) => id)) },
  );
  await Promise.all([
    rotation.rotate(),
    rotation.rotate(),
    write(vault, 60, 70),
    rotation.finish(),
    write(vault, 5, 10),
  ]);
  assert.deepEqual(kept, [vault.currentKeyId]);
  assert.equal(vault.hasKey(old.id), false);
  const rotations = await Promise.allSettled(Array.from({ length: 9 }, () => rotation.rotate()));
  const ends = rotations.map((each) =>
    each.status === "rejected" ? (each.reason as AppError).code : each.status,
  );
  assert.deepEqual(
    new Set(ends),
    new Set(["fulfilled", "too_many_requests"]),
    "more than may wait are refused",
  );
  for (const index of [0, 5, 59, 69]) assert.equal((await read(vault, index)).text, `text ${index}`);
});
