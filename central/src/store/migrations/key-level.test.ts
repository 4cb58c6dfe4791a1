import assert from "node:assert/strict";
import { test } from "node:test";
import { scopesOfLevel } from "@tijolo/protocol";
import { findKeyByHash } from "../tables/key.ts";
import { migrations } from "../migrations.ts";
import { migrate, openSqlite, Statements } from "../sqlite/open-sqlite.ts";
import { SqliteDatabase } from "../sqlite/database.ts";
import { keyLevel } from "./key-level.ts";

test("a key that was stored as `read` with a scope that changes something is shown as what it is", async () => {
  const sqlite = openSqlite(":memory:");
  await using db = new SqliteDatabase(new Statements(sqlite), async () => {});
  await migrate(db, migrations.slice(0, migrations.indexOf(keyLevel)));
  sqlite.exec(`insert into account (id, name, plan, created_at) values ('a', 'Ana', 'Free', 0)`);
  const insert = sqlite.prepare(
    `insert into api_key (id, account_id, name, prefix, hash, level, scopes, created_at) values (?, 'a', 'k', 'svc_', ?, ?, ?, 0)`,
  );
  insert.run("k1", "misnamed", "read", JSON.stringify([...scopesOfLevel.read, "projects:control"]));
  insert.run("k2", "reading", "read", JSON.stringify(scopesOfLevel.read));
  insert.run("k3", "writing", "write", JSON.stringify(scopesOfLevel.write));
  await migrate(db, migrations);
  const levelOf = async (hash: string) => (await findKeyByHash(db, hash))?.key.level;
  assert.deepEqual(
    [await levelOf("misnamed"), await levelOf("reading"), await levelOf("writing")],
    ["write", "read", "write"],
  );
});
