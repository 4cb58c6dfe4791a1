import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { migrations } from "../migrations.ts";
import { hostMemory } from "./host-memory.ts";

test("of hosts that are there counts what they said last, as far as it is plausible", () => {
  const sqlite = new Sqlite(":memory:");
  const run = (statements: readonly string[]) => statements.forEach((statement) => sqlite.exec(statement));
  for (const migration of migrations.slice(0, migrations.indexOf(hostMemory))) run(migration);
  const insert = sqlite.prepare(
    `insert into host (id, name, public_key, resources, desired_revision, taken_sequence, created_at) values (?, ?, ?, ?, 1, 0, 0)`,
  );
  const resources = [
    JSON.stringify({ memoryMb: 8_192 }),
    JSON.stringify({ memoryMb: Number.MAX_SAFE_INTEGER }),
    null,
  ];
  resources.forEach((text, index) => insert.run(`h${index}`, `h${index}`, `k${index}`, text));
  run(hostMemory);
  assert.deepEqual(sqlite.prepare("select memory_cap_mb from host order by id").pluck().all(), [
    8_192,
    67_108_864,
    null,
  ]);
  sqlite.close();
});
