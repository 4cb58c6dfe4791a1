import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { checkSchema } from "./schema-check.ts";

test("a database of this release, or of an older one, is well; one of a newer release is not", async (t) => {
  const tree = mkdtempSync(join(tmpdir(), "tijolo-doctor-"));
  t.after(() => rmSync(tree, { recursive: true }));
  const numbers = {
    protocol: { min: 1, max: 2 },
    schemas: { central: { version: 21, oldestReader: 21 }, ledger: { version: 5, oldestReader: 5 } },
  };
  writeFileSync(join(tree, "numbers.json"), JSON.stringify(numbers));
  const database = join(tree, "database.sqlite");
  using file = new DatabaseSync(database);
  file.exec("PRAGMA journal_mode = WAL; CREATE TABLE migration (number INTEGER); PRAGMA user_version = 5;");
  const central = {
    name: "central",
    owner: null,
    database,
    versionQuery: "SELECT max(number) AS version FROM migration",
  } as const;
  const ledger = {
    name: "ledger",
    owner: null,
    database,
    versionQuery: "SELECT user_version AS version FROM pragma_user_version",
  } as const;
  for (const [number, status] of [
    [20, "ok"],
    [21, "ok"],
    [22, "fail"],
  ] as const) {
    file.exec(`INSERT INTO migration VALUES (${number})`);
    assert.equal((await checkSchema(tree, central))?.status, status, String(number));
  }
  assert.equal((await checkSchema(tree, ledger))?.status, "ok");
  file.exec("PRAGMA user_version = 6");
  assert.equal(await checkSchema(join(tree, "other"), ledger), null, "a release without numbers");
  assert.deepEqual(await checkSchema(tree, ledger), { status: "fail", found: `${database}: 6 > 5` });
});
