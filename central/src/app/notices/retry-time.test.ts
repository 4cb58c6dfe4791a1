import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTryAt } from "./retry-time.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

test("five tries are made within a day, however long each takes to fail", () => {
  const createdAt = 1_000_000;
  let now = createdAt;
  const pauses: number[] = [];
  for (let tries = 1; ; tries++) {
    now += 5_000; // a receiver that hangs
    const at = nextTryAt({ tries, createdAt }, { now, retryAfterMs: 0 });
    if (at === null) break;
    pauses.push((at - now) / minuteMs);
    now = at;
  }
  assert.deepEqual(pauses, [1, 10, 120, 1_200]);
  assert.ok(now - createdAt < dayMs);
});

test("nothing is tried before the receiver asked for, and nothing after a day", () => {
  const createdAt = 0;
  assert.equal(nextTryAt({ tries: 1, createdAt }, { now: 0, retryAfterMs: 1_000 }), minuteMs);
  assert.equal(nextTryAt({ tries: 1, createdAt }, { now: 0, retryAfterMs: 300_000 }), 300_000);
  assert.equal(nextTryAt({ tries: 1, createdAt }, { now: 0, retryAfterMs: dayMs + 1 }), null);
  assert.equal(nextTryAt({ tries: 4, createdAt }, { now: dayMs / 2, retryAfterMs: 0 }), null);
});
