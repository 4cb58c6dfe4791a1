import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findDatabases } from "./find-databases.ts";
import { readStart } from "./upload-warnings.ts";

const sqlite = "SQLite format 3\0".padEnd(512, "x");

test("databases are found by their names, and SQLite's by what they hold", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "tijolo-databases-"));
  t.after(() => rm(folder, { recursive: true }));
  const expected = {
    "data.db": true,
    "data.db-wal": true,
    "data/BOT.SQLITE3": true,
    "store.sqlite": true,
    "lmdb/data.mdb": true,
    "dump.rdb": true,
    "redis/dump.rdb": true,
    "memory.bin": sqlite,
    "half.bin": sqlite.slice(0, 500),
    "index.js": false,
    "db.js": false,
    "my-dump.rdb.txt": false,
    "not-dump.rdb": false,
    database: false,
  };
  const files = await Promise.all(
    Object.entries(expected).map(async ([name, content], index) => {
      const path = join(folder, String(index));
      const text = typeof content === "string" ? content : "x";
      await writeFile(path, text);
      return { name, path, sizeBytes: text.length };
    }),
  );
  const found = Object.entries(expected)
    .filter(([name, content]) => content === true || name === "memory.bin")
    .map(([name]) => name);
  assert.deepEqual(await findDatabases(files, readStart), found);
  assert.deepEqual(
    await findDatabases([{ name: "gone.bin", path: join(folder, "gone"), sizeBytes: 512 }], readStart),
    [],
  );
});
