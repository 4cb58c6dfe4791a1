import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "./sqlite/open-database.ts";

test("the checked-in schema is what the migrations make", async () => {
  await using opened = await openDatabase(":memory:");
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by type desc, name`.execute(
    opened.db,
  );
  const made = rows.map((row) => `${row.sql.replace(/\s+/g, " ")};\n`).join("");
  const checkedIn = await readFile(new URL("schema.sql", import.meta.url), "utf8").catch(() => "");
  assert.equal(checkedIn, made, "copy the new schema into central/src/store/schema.sql");
});
