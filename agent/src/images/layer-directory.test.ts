import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownerMark } from "../host/files/owner-mark.ts";
import { collectLeftovers } from "./layer-directory.ts";

test("processes that share a directory collect what dead ones left at the same time, each thing once, and nothing of the living", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-layers-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const digest = "0".repeat(32);
  const dead = Array.from({ length: 20 }, (_, index) => `.building-${digest}-${2 ** 30}-1-${index}`);
  const living = `.building-${digest}-${ownerMark(process.pid)}-0`;
  for (const name of [...dead, living]) {
    await mkdir(join(directory, name, "root", "a", "b"), { recursive: true });
    await writeFile(join(directory, name, "root", "a", "b", "file"), "");
  }
  let number = 0;
  const collected = await Promise.all(
    Array.from({ length: 4 }, () => collectLeftovers(directory, () => `${number++}`)),
  );
  assert.deepEqual(collected.flat().sort(), dead.toSorted());
  assert.deepEqual(await readdir(directory), [living]);
});
