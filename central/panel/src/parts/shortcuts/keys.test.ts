import assert from "node:assert/strict";
import { test } from "node:test";
import { readKey } from "./keys.ts";

test("a key of one acts at once, one of two after the second, within its time", () => {
  assert.equal(readKey(null, "/", 0), "search");
  assert.equal(readKey(null, "l", 0), "logs");
  const first = readKey(null, "g", 0);
  assert.deepEqual(first, { key: "g", atMs: 0 });
  assert.equal(readKey({ key: "g", atMs: 0 }, "p", 1_500), "projects");
  assert.equal(readKey({ key: "g", atMs: 0 }, "p", 1_501), null);
});

test("a second key that belongs to no first one counts for itself", () => {
  assert.equal(readKey({ key: "g", atMs: 0 }, "l", 10), "logs");
  assert.deepEqual(readKey({ key: "g", atMs: 0 }, "g", 10), { key: "g", atMs: 10 });
  assert.equal(readKey(null, "x", 0), null);
});
