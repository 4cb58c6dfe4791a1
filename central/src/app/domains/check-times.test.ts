import assert from "node:assert/strict";
import { test } from "node:test";
import { nextPendingCheck } from "./check-times.ts";

const minute = 60_000;

test("a pending domain is checked after 0, 1, 5 and 15 minutes, then every hour for 7 days", () => {
  const at = [0];
  for (;;) {
    const next = nextPendingCheck(0, at.at(-1) ?? 0);
    if (next === null) break;
    at.push(next);
  }
  assert.deepEqual(
    at.slice(0, 6).map((ms) => ms / minute),
    [0, 1, 5, 15, 75, 135],
  );
  assert.equal(at.length, 4 + 7 * 24);
  assert.ok((at.at(-1) ?? 0) >= 7 * 24 * 60 * minute);
});

test("a check that comes late goes on from then", () => {
  assert.equal(nextPendingCheck(0, 10 * minute), 15 * minute);
  assert.equal(nextPendingCheck(0, 100 * minute), 160 * minute);
});
