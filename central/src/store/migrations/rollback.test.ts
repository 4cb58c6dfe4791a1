import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, sql } from "kysely";
import { sampleSettings } from "../../../../test/support/samples.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations.ts";
import { openSqlite, sqliteDialect, Statements } from "../sqlite/open-sqlite.ts";
import { start } from "./start.ts";
import { rollback } from "./rollback.ts";

test("versions of a database with data get the settings that are known, and when they came up", async () => {
  const settings = JSON.stringify(sampleSettings());
  await using db = new Kysely<Record<string, never>>({
    dialect: sqliteDialect(new Statements(openSqlite(":memory:"))),
  });
  const { firstNumber } = migrations;
  await migrate(db, { firstNumber, lists: [start] });
  await sql`insert into account (id, name, plan, created_at) values ('a1', 'Ana', 'Stack', 1)`.execute(db);
  await sql`insert into project (id, account_id, name, description, type, settings, memory_mb, run,
    restart_count, version_number, created_at, updated_at)
    values ('p1', 'a1', 'bot', '', 'bot', ${settings}, 256, 'on', 1, 3, 1, 1)`.execute(db);
  await sql`insert into version (project_id, number, archive_sha256, size_bytes, created_at, finished_at,
    error_code, error_details) values ('p1', 1, 'a', 1, 1, 5, null, null),
    ('p1', 2, 'b', 1, 1, 6, 'install_failed', '[]'), ('p1', 3, 'c', 1, 1, null, null, null)`.execute(db);
  await migrate(db, { firstNumber, lists: [start, rollback] });
  const { rows } = await sql`select number, settings, came_up_at from version order by number`.execute(db);
  assert.deepEqual(rows, [
    { number: 1, settings: null, came_up_at: 5 },
    { number: 2, settings: null, came_up_at: null },
    { number: 3, settings, came_up_at: null },
  ]);
});
