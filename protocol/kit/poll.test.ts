import assert from "node:assert/strict";
import { test } from "node:test";
import { poll } from "./poll.ts";

test("the first answer is what was waited for, and is looked for at once", async () => {
  let looks = 0;
  assert.equal(await poll(() => ++looks === 3 && "here", { timeoutMs: 60_000, everyMs: 1 }), "here");
  assert.equal(looks, 3);
  assert.equal(await poll(() => 0, { timeoutMs: 0, everyMs: 60_000 }), 0);
});

test("at the deadline it looks a last time, and answers undefined", async () => {
  let isThere = false;
  const late = poll(() => isThere, { timeoutMs: 20, everyMs: 40 });
  isThere = true;
  assert.equal(await late, true);
  assert.equal(await poll(() => false, { timeoutMs: 20, everyMs: 1 }), undefined);
});

test("pauses double up to their bound", async () => {
  const looksAt: number[] = [];
  const look = () => void looksAt.push(performance.now());
  await poll(look, { timeoutMs: 250, everyMs: 1, maxEveryMs: 64 });
  assert.ok(looksAt.length <= 12, `${looksAt.length} looks`);
});

test("an abort ends the wait with its own reason, also one without a deadline", async () => {
  const abort = new AbortController();
  const waiting = poll(() => false, { timeoutMs: null, everyMs: 60_000, signal: abort.signal });
  abort.abort(new Error("nobody waits any more"));
  await assert.rejects(waiting, /nobody waits any more/);
});

test("what a look throws ends the wait", async () => {
  const broken = () => {
    throw new Error("the disk is broken");
  };
  await assert.rejects(poll(broken, { timeoutMs: null, everyMs: 1 }), /the disk is broken/);
});
