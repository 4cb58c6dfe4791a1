import assert from "node:assert/strict";
import { test } from "node:test";
import { zipOf } from "../../../../../test/support/archives/zip-of.ts";
import { compareArchives } from "./compare-archives.ts";
import { readZip } from "./zip-directory.ts";

test("files that are new, other and gone are told from the directories of two archives", async () => {
  const before = await readZip(new Blob([await zipOf({ "a.js": "1", "b.js": "2", "c.js": "3" })]));
  const after = await readZip(new Blob([await zipOf({ "a.js": "1", "b.js": "4", "d/e.js": "5" })]));
  const names = Object.entries(compareArchives(before, after)).map(([kind, entries]) => [
    kind,
    entries.map(({ name }: { name: string }) => name),
  ]);
  assert.deepEqual(names, [
    ["added", ["d/e.js"]],
    ["changed", ["b.js"]],
    ["removed", ["c.js"]],
  ]);
});
