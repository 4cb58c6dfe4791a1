import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf, nextAskAt, nextTryAt } from "./order-policy.ts";

const hour = 3_600_000;

test("an authority that asks for a longer pause has it", () => {
  assert.equal(nextTryAt(0, { failures: 1, retryAt: null }), 60_000);
  assert.equal(nextTryAt(0, { failures: 1, retryAt: 5 * hour }), 5 * hour);
  assert.equal(nextTryAt(0, { failures: 99, retryAt: 5 * hour }), 24 * hour);
});

test("a renewal lies anywhere in the window, and never so late that the certificate ends before it", () => {
  const life = { beginsAt: 0, endsAt: 90 };
  const window = { beginsAt: 60, endsAt: 62 };
  assert.equal(
    momentOf(window, life, (bytes) => new Uint8Array(bytes)),
    60,
  );
  const last = momentOf(window, life, (bytes) => new Uint8Array(bytes).fill(255));
  assert.ok(last > 61.99 && last < 62);
  assert.equal(
    momentOf({ beginsAt: 200, endsAt: 300 }, life, (bytes) => new Uint8Array(bytes)),
    81,
  );
});

test("the window is asked for again at the authority's time, within a minute and a day", () => {
  assert.equal(nextAskAt(0, null), 6 * hour);
  assert.equal(nextAskAt(0, 2 * hour), 2 * hour);
  assert.equal(nextAskAt(0, 0), 60_000);
  assert.equal(nextAskAt(0, 900 * hour), 24 * hour);
});
