import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../../store/tables/accounts/account.ts";
import { insertJoinToken, useJoinToken } from "../../store/tables/hosts/host.ts";
import { countKeys, insertKey, revokeKey } from "../../store/tables/people/key.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact } from "../../store/store.ts";
import { collectHistory } from "./collect-history.ts";

const dayMs = 86_400_000;
const account = {
  id: "a",
  name: "Ana",
  plan: "Free",
  suspendedAt: null,
  stopsAt: null,
  betaEndsAt: null,
  createdAt: 0,
} as const;

async function openStore() {
  const opened = await openDatabase(":memory:");
  const { db } = opened;
  await transact(db, (tx) => insertAccount(tx, account));
  const addKeys = (prefix: string, count: number, revokedAt: number | null) =>
    transact(db, async (tx) => {
      for (let index = 0; index < count; index++) {
        const id = `${prefix}${index}`;
        const key = {
          id,
          accountId: account.id,
          name: "k",
          prefix: "svc_",
          scopes: [],
          createdAt: 0,
          lastUsedAt: null,
        } as const;
        await insertKey(tx, { ...key, scopes: [], hash: id });
        if (revokedAt !== null) await revokeKey(tx, id, revokedAt);
      }
    });
  const keyIds = async () =>
    (await db.selectFrom("api_key").select("id").orderBy("id").execute()).map(({ id }) => id);
  return { opened, db, addKeys, keyIds };
}

test("a revoked key goes with the activity that tells of it, in bounded steps, and no living one", async () => {
  const { opened, db, addKeys, keyIds } = await openStore();
  await using _ = opened;
  const revokedAt = 1_000 * dayMs;
  await addKeys("living", 3, null);
  await addKeys("old", 10_400, revokedAt);
  await addKeys("newer", 2, revokedAt + dayMs);
  const collectAt = (now: number) => collectHistory({ db, clock: { now: () => now } });
  await collectAt(revokedAt + 180 * dayMs);
  assert.equal((await keyIds()).length, 10_405);
  await collectAt(revokedAt + 180 * dayMs + 1);
  assert.equal((await keyIds()).length, 405, "a run leaves some for the next");
  await collectAt(revokedAt + 180 * dayMs + 1);
  assert.deepEqual(await keyIds(), ["living0", "living1", "living2", "newer0", "newer1"]);
  await collectAt(revokedAt + 1_000 * dayMs);
  assert.deepEqual(await keyIds(), ["living0", "living1", "living2"]);
  assert.equal(await countKeys(db, account.id), 3);
});

test("a join token goes when it can be used no more, used or not", async () => {
  const { opened, db } = await openStore();
  await using _ = opened;
  await transact(db, async (tx) => {
    for (let index = 0; index < 600; index++)
      await insertJoinToken(tx, { hash: `old${index}`, expiresAt: 100, createdAt: 0 });
    await insertJoinToken(tx, { hash: "used", expiresAt: 200, createdAt: 0 });
    await insertJoinToken(tx, { hash: "living", expiresAt: 201, createdAt: 0 });
    assert.ok(await useJoinToken(tx, "used", 50));
  });
  const hashes = async () =>
    (await db.selectFrom("join_token").select("hash").orderBy("hash").execute()).map(({ hash }) => hash);
  await collectHistory({ db, clock: { now: () => 99 } });
  assert.equal((await hashes()).length, 602);
  await collectHistory({ db, clock: { now: () => 100 } });
  assert.deepEqual(await hashes(), ["living", "used"]);
  await collectHistory({ db, clock: { now: () => 200 } });
  assert.deepEqual(await hashes(), ["living"]);
  assert.ok(await transact(db, (tx) => useJoinToken(tx, "living", 200)));
});
