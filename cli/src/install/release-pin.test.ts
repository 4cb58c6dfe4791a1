import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { loadMessages } from "../messages.ts";
import { pinProblems, pinReleaseKey, type PinPlaces } from "./release-pin.ts";

let where: PinPlaces;
beforeEach(async () => {
  const tree = await mkdtemp(join(tmpdir(), "tijolo-pin-"));
  where = { tree, pin: join(tree, "pinned") };
  await writeFile(join(tree, "release-key.pub"), "first\n");
});
afterEach(() => rm(where.tree, { recursive: true, force: true }));

test("a release of another key than the pinned one is refused, and both are named", async () => {
  const messages = await loadMessages("en");
  assert.deepEqual(await pinProblems(messages, where), []);
  await pinReleaseKey(where);
  assert.equal(await readFile(where.pin, "utf8"), "first\n");
  assert.deepEqual(await pinProblems(messages, where), []);
  await writeFile(join(where.tree, "release-key.pub"), "second\n");
  const [problem = "", ...others] = await pinProblems(messages, where);
  assert.deepEqual(others, []);
  assert.match(problem, /has the key (\S+), and this machine keeps to (?!\1)\S+: .*delete \S+pinned and run/);
  await rm(where.pin);
  assert.deepEqual(await pinProblems(messages, where), []);
});
