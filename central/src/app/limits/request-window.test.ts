import assert from "node:assert/strict";
import { test } from "node:test";
import { remaining, renew, secondsToReset } from "./request-window.ts";

const limit = { requests: 3, lengthMs: 60_000 };

test("a window lasts its time from the first request in it, and then begins anew", () => {
  const window = { startedAt: 1_000, used: 3 };
  renew(window, limit, 60_999);
  assert.deepEqual(window, { startedAt: 1_000, used: 3 });
  renew(window, limit, 61_000);
  assert.deepEqual(window, { startedAt: 61_000, used: 0 });
});

test("a clock that was set back does not make a window longer", () => {
  const window = { startedAt: 100_000, used: 3 };
  renew(window, limit, 5_000);
  assert.deepEqual(window, { startedAt: 5_000, used: 0 });
});

test("what is left is never negative, also when the limit was lowered", () => {
  assert.equal(remaining({ startedAt: 0, used: 1 }, limit), 2);
  assert.equal(remaining({ startedAt: 0, used: 50 }, limit), 0);
});

test("the seconds to the next window are whole, and enough to wait for", () => {
  const window = { startedAt: 1_000, used: 0 };
  assert.equal(secondsToReset(window, limit, 1_000), 60);
  assert.equal(secondsToReset(window, limit, 1_001), 60);
  assert.equal(secondsToReset(window, limit, 60_999), 1);
});
