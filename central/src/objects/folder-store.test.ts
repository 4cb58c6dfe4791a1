import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { FolderStore } from "./folder-store.ts";
import { Objects } from "./objects.ts";

const now = 1_000_000_000;
const ageMs = 3_600_000;
const hashOf = (start: string) => start.padEnd(64, "0");

async function openFolder(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-objects-"));
  t.after(() => rm(directory, { recursive: true }));
  const store = await FolderStore.open(directory, () => "name");
  const objects = new Objects(store);
  /** Writes a file of that age; `path` begins at the folder of the kept ones. */
  const put = async (path: string, age: number) => {
    const whole = join(directory, "sha256", path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, "");
    await utimes(whole, (now - age) / 1000, (now - age) / 1000);
  };
  const listed = async () => (await Array.fromAsync(objects.listOlderThan(ageMs, now))).toSorted();
  return { directory, store, put, listed };
}

test("a folder that cannot be read is told of, not taken for an empty one", async (t) => {
  const { directory, listed } = await openFolder(t);
  await writeFile(join(directory, "sha256"), "");
  await assert.rejects(listed(), { code: "ENOTDIR" });
});

test("what is old is listed, past all that does not belong there", async (t) => {
  const { directory, put, listed } = await openFolder(t);
  assert.deepEqual(await listed(), [], "there is no folder yet");
  for (const hash of [hashOf("00a"), hashOf("7f1"), hashOf("ff2")])
    await put(join(hash.slice(0, 2), hash), ageMs + 1);
  await put(join("ff", hashOf("ff3")), ageMs - 1);
  const objects = [hashOf("00a"), hashOf("7f1"), hashOf("ff2")];
  assert.deepEqual(await listed(), objects);

  await put("00-note.txt", ageMs * 2); // an operator's
  await put("01", ageMs * 2); // where a folder is meant
  await put("GG/x", ageMs * 2);
  await put("lost+found/x", ageMs * 2);
  await put("0/x", ageMs * 2);
  await put("7F/x", ageMs * 2);
  for (const odd of [
    ".nfs0001",
    `${hashOf("7f1")}.bak`,
    hashOf("7f1").slice(1),
    hashOf("7fA"),
    hashOf("801"),
    "note",
  ])
    await put(join("7f", odd), ageMs * 2);
  await mkdir(join(directory, "sha256", "7f", hashOf("7f9"), "inside"), { recursive: true });
  await utimes(join(directory, "sha256", "7f", hashOf("7f9")), 1, 1);
  await symlink("nowhere", join(directory, "sha256", "02"));
  await symlink("nowhere", join(directory, "sha256", "7f", hashOf("7f8")));
  assert.deepEqual(await listed(), objects);
});

test("what was put is opened, whole or a range of it, until it is removed", async (t) => {
  const { store } = await openFolder(t);
  const options = { maxBytes: 100, signal: new AbortController().signal };
  const file = await store.receive(Readable.from([Buffer.from("0123456789")]), options);
  assert.equal(await store.has(file.sha256), false);
  await store.put(file);
  const read = async (range?: { start: number; end: number }) => {
    const opened = await store.open(file.sha256, range);
    return opened && text(opened);
  };
  assert.equal(await store.has(file.sha256), true);
  assert.deepEqual([await read(), await read({ start: 2, end: 4 })], ["0123456789", "234"]);
  await store.remove(file.sha256);
  assert.deepEqual([await store.has(file.sha256), await read()], [false, undefined]);
});
