import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshMember } from "@tijolo/protocol";
import { peerKeysOf, withOwnKeys } from "./peer-keys.ts";

const states = (...keys: string[]) => new Map(keys.map((key) => [key, { hasHandshake: key.endsWith("!") }]));

for (const { title, nextKey, known, expected } of [
  { title: "one key has its addresses", nextKey: undefined, known: ["old!"], expected: ["old", undefined] },
  { title: "a next key that nobody knows is awaited", nextKey: "next", known: [], expected: ["old", "next"] },
  {
    title: "a next key without a handshake is awaited",
    nextKey: "next",
    known: ["next"],
    expected: ["old", "next"],
  },
  {
    title: "a next key has the addresses from its handshake on, and the old one is refused",
    nextKey: "next!",
    known: ["old!", "next!"],
    expected: ["next!", undefined],
  },
])
  test(`of a member ${title}`, () => {
    const { used, awaited } = peerKeysOf({ key: "old", ...(nextKey && { nextKey }) }, states(...known));
    assert.deepEqual([used, awaited], expected);
  });

test("a next key that is another's key too is no key", () => {
  const member = (hostId: string, key: string, nextKey?: string): MeshMember => ({
    hostId,
    key,
    port: 1,
    range: "10.0.0.0/21",
    address: null,
    ...(nextKey === undefined ? {} : { nextKey }),
  });
  const told = [member("a", "1", "2"), member("b", "2"), member("c", "3", "4"), member("d", "5", "5")];
  assert.deepEqual(
    withOwnKeys(told).map(({ nextKey }) => nextKey),
    [undefined, undefined, "4", undefined],
  );
  const twice = [member("a", "1", "3"), member("b", "2", "3")];
  assert.deepEqual(withOwnKeys(twice), [member("a", "1"), member("b", "2")]);
});
