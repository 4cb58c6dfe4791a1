import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { migrations } from "../migrations.ts";
import { servedSubdomain } from "./served-subdomain.ts";

test("what was served before there were subdomains that wait goes on being served", () => {
  const sqlite = new Sqlite(":memory:");
  const run = (statements: readonly string[]) => statements.forEach((statement) => sqlite.exec(statement));
  for (const migration of migrations.slice(0, migrations.indexOf(servedSubdomain))) run(migration);
  run([
    `insert into account (id, name, plan, created_at) values ('a', 'Ana', 'Block', 0)`,
    ...["null", "null", "'shop'"].map(
      (
        subdomain,
        index,
      ) => `insert into project (id, account_id, name, description, type, settings, memory_mb, subdomain, run, restart_count,
        version_number, created_at, updated_at) values ('p${index}', 'a', 'p', '', 'site', '{}', 64, ${subdomain}, 'on', 1, 1, 0, 0)`,
    ),
  ]);
  run(servedSubdomain);
  assert.deepEqual(sqlite.prepare("select served_subdomain from project order by id").pluck().all(), [
    null,
    null,
    "shop",
  ]);
  sqlite.close();
});
