import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sumOfHashes } from "@tijolo/protocol";
import { SentSet } from "./desired-hash.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const setHashOf = (hashes: Record<string, string>) => sumOfHashes(Object.values(hashes));

test("a set's hash follows each change, in any order, as if it was made of all its assignments", () => {
  const sent = new SentSet();
  assert.equal(sent.setHash, "0".repeat(64));
  const [one, two, three] = [hashOf("1"), hashOf("2"), hashOf("3")];
  sent.set("a", one);
  sent.set("b", two);
  sent.set("a", three);
  assert.equal(sent.setHash, setHashOf({ b: two, a: three }));
  assert.equal(sent.delete("b"), true);
  assert.equal(sent.delete("b"), false);
  assert.equal(sent.setHash, setHashOf({ a: three }));
});

test("a set is found again by its hash, and by the one that it had before the last update", () => {
  const [one, two, three] = [hashOf("1"), hashOf("2"), hashOf("3")];
  const sent = new SentSet(
    new Map([
      ["a", one],
      ["b", two],
    ]),
  );
  const before = sent.setHash;
  sent.beginUpdate();
  sent.set("a", three);
  sent.set("c", one);
  sent.delete("b");
  const contentOf = (set: SentSet | undefined) =>
    Object.fromEntries([...(set?.projectIds ?? [])].map((id) => [id, set?.find(id)]));
  assert.deepEqual(contentOf(sent.copyWith(sent.setHash)), { a: three, c: one });
  assert.deepEqual(contentOf(sent.copyWith(before)), { a: one, b: two });
  assert.equal(sent.copyWith(before)?.setHash, before);
  sent.beginUpdate();
  assert.equal(sent.copyWith(before), undefined, "only the last update can have been lost");
});
