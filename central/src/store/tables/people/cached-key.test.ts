import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../accounts/account.ts";
import { findKeyByHash, insertKey, type KeyRow } from "./key.ts";
import { openDatabase } from "../../sqlite/open-database.ts";
import { transact } from "../../store.ts";

const account = {
  id: "account",
  name: "Ana",
  plan: "Free",
  suspendedAt: null,
  stopsAt: null,
  betaEndsAt: null,
  createdAt: 0,
} as const;
const key: KeyRow = {
  id: "key",
  accountId: account.id,
  name: "",
  prefix: "",
  level: "read",
  scopes: [],
  createdAt: 0,
  lastUsedAt: null,
};

test("a key is not found any more once its revocation is committed", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  await transact(db, async (tx) => {
    await insertAccount(tx, account);
    await insertKey(tx, { ...key, hash: "hash" });
  });
  const found = await findKeyByHash(db, "hash");
  assert.equal(found?.key.id, key.id);
  assert.equal(await findKeyByHash(db, "hash"), found, "the second time it is not read again");
  await transact(db, (tx) => tx.updateTable("api_key").set({ revoked_at: 1 }).execute());
  assert.equal(await findKeyByHash(db, "hash"), undefined);
});

test("what a transaction that failed had written is not found", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const failing = transact(db, async (tx) => {
    await insertAccount(tx, account);
    await insertKey(tx, { ...key, hash: "hash" });
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  assert.equal(await findKeyByHash(db, "hash"), undefined);
});
