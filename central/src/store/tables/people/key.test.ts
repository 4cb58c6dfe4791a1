import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countKeys,
  deleteKeysRevokedBefore,
  findKey,
  findKeyByHash,
  listKeys,
  revokeKey,
  saveKeyUses,
} from "./key.ts";
import { migrations } from "../../migrations.ts";
import { transact, type Transaction } from "../../store.ts";
import { migrate } from "../../migrate.ts";
import { openSqlite, Statements } from "../../sqlite/open-sqlite.ts";
import { SqliteDatabase } from "../../sqlite/database.ts";

class RecordedStatements extends Statements {
  readonly texts: string[] = [];

  override prepare(text: string) {
    this.texts.push(text);
    return super.prepare(text);
  }
}

test("living keys are found without reading those that were revoked, and those by their time alone", async () => {
  const sqlite = openSqlite(":memory:");
  const statements = new RecordedStatements(sqlite);
  await using db = new SqliteDatabase(statements, async () => {});
  await migrate(db, migrations);
  /** Returns SQLite's query plans of what the work reads and changes. */
  const plansOf = async (work: (tx: Transaction) => Promise<unknown>): Promise<string[]> => {
    const before = statements.texts.length;
    await transact(db, work);
    const own = statements.texts.slice(before).filter((text) => text.includes('"api_key"'));
    assert.equal(own.length, 1);
    return own.flatMap((text) => {
      const plan = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${text}`);
      return plan.all(Array.from(text.matchAll(/\?/g), () => null)).map(({ detail }) => detail);
    });
  };
  const byHash = "SEARCH api_key USING INDEX sqlite_autoindex_api_key_2 (hash=?)";
  const byId = "SEARCH api_key USING INDEX sqlite_autoindex_api_key_1 (id=?)";
  const ofAccount = "SEARCH api_key USING INDEX api_key_account (account_id=?)";
  const indexes = sqlite.pragma("index_list(api_key)") as { name: string; partial: number }[];
  assert.equal(
    indexes.find(({ name }) => name === "api_key_account")?.partial,
    1,
    "no revoked key stands in it",
  );
  assert.deepEqual(await plansOf((tx) => countKeys(tx, "a")), [ofAccount]);
  assert.deepEqual(await plansOf((tx) => listKeys(tx, "a")), [ofAccount]);
  assert.equal((await plansOf((tx) => findKeyByHash(tx, "h")))[0], byHash);
  assert.deepEqual(await plansOf((tx) => findKey(tx, "k")), [byId]);
  assert.deepEqual(await plansOf((tx) => saveKeyUses(tx, [["k", 1]])), [byId]);
  assert.deepEqual(await plansOf((tx) => revokeKey(tx, "k", 1)), [byId]);
  const collecting = await plansOf((tx) => deleteKeysRevokedBefore(tx, 1, 1));
  assert.ok(
    collecting.includes("SEARCH api_key USING INDEX api_key_revoked (revoked_at<?)"),
    collecting.join("\n"),
  );
  assert.ok(
    collecting.every((step) => !step.startsWith("SCAN")),
    collecting.join("\n"),
  );
});
