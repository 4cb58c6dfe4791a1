import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { entriesOf } from "./directory-entries.ts";

test("entries are read as they are asked for, not all at once", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-entries-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const names = Array.from({ length: 1_000 }, (_, index) => `${index}-${"x".repeat(240)}`);
  for (const name of names) await writeFile(join(directory, name), "");
  assert.equal((await Array.fromAsync(entriesOf(directory))).length, names.length);
  let seen = 0;
  for await (const _entry of entriesOf(directory)) {
    if (seen === 0) for (const name of names) await rm(join(directory, name));
    seen += 1;
  }
  assert.ok(seen < names.length / 2, `${seen} entries were there before they were asked for`);
});

test("each entry has its kind, and a directory that is not there has none", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-entries-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, "folder"));
  await symlink("folder", join(directory, "link"));
  const kinds = (await Array.fromAsync(entriesOf(directory))).map((entry) => [
    entry.name,
    entry.isDirectory(),
  ]);
  assert.deepEqual(Object.fromEntries(kinds), { folder: true, link: false });
  assert.deepEqual(await Array.fromAsync(entriesOf(join(directory, "missing"))), []);
  await writeFile(join(directory, "file"), "");
  await assert.rejects(Array.fromAsync(entriesOf(join(directory, "file"))), { code: "ENOTDIR" });
});
