import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { migrations } from "../migrations.ts";
import { reservedMemory } from "./reserved-memory.ts";

test("what projects that are there already hold of their host is counted", () => {
  const sqlite = new Sqlite(":memory:");
  const run = (statements: readonly string[]) => statements.forEach((statement) => sqlite.exec(statement));
  for (const migration of migrations.slice(0, migrations.indexOf(reservedMemory))) run(migration);
  run([
    `insert into account (id, name, plan, created_at) values ('a', 'Ana', 'Block', 0)`,
    `insert into host (id, name, public_key, desired_revision, taken_sequence, created_at) values ('h', 'h', 'h', 1, 0, 0)`,
  ]);
  for (const [index, [state, runningMb]] of [
    ["off", "null"],
    ["off", "128"],
    ["on", "128"],
    ["on", "32"],
  ].entries()) {
    run([
      `insert into project (id, account_id, name, description, type, settings, memory_mb, running_memory_mb, run, restart_count,
        version_number, created_at, updated_at) values ('p${index}', 'a', 'p', '', 'bot', '{}', 64, ${runningMb}, '${state}', 1, 1, 0, 0)`,
      `insert into placement (project_id, host_id, generation) values ('p${index}', 'h', 1)`,
    ]);
  }
  run(reservedMemory);
  assert.deepEqual(
    sqlite.prepare("select reserved_memory_mb from placement order by project_id").pluck().all(),
    [64, 64, 128, 64],
  );
  sqlite.close();
});
