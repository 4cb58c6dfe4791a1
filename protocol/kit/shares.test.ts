import assert from "node:assert/strict";
import { test } from "node:test";
import { Shares } from "./shares.ts";

test("one key has no more than its share, all together no more than there are; a slot is given back once", () => {
  const shares = new Shares({ inAll: 3, perKey: 2 });
  const first = shares.take("a");
  const second = shares.take("a");
  assert.equal(shares.take("a"), undefined, "the key's share is taken");
  const other = shares.take("b");
  assert.equal(shares.take("c"), undefined, "all are taken");
  first?.();
  first?.();
  assert.equal(shares.taken, 2);
  assert.ok(shares.take("a") !== undefined);
  assert.equal(shares.take("b"), undefined);
  second?.();
  other?.();
  assert.equal(shares.taken, 1);
});

test("takers without a key count in all alone", () => {
  const shares = new Shares({ inAll: 3, perKey: 1 });
  const leaves = [shares.take(null), shares.take(null), shares.take(null)];
  assert.ok(leaves.every((leave) => leave !== undefined));
  assert.equal(shares.take("a"), undefined);
  leaves[0]?.();
  assert.ok(shares.take("a") !== undefined);
});
