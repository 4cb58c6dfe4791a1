/** Tests the stream of a log's lines and its project's status, which may be open for days. */

import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { merge } from "./merge.ts";

const silent = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
});

test("items come from both; the end of either is the end, and a failure of either is told", async () => {
  const letters = async function* () {
    yield "a";
    yield "b";
  };
  const numbers = async function* () {
    yield "1";
    await new Promise(() => {});
  };
  assert.deepEqual(await Array.fromAsync(merge(letters(), silent())), ["a", "b"]);
  assert.deepEqual((await Array.fromAsync(merge(letters(), numbers()))).sort(), ["1", "a", "b"]);
  const broken = async function* () {
    yield "a";
    throw new Error("broken");
  };
  await assert.rejects(Array.fromAsync(merge(silent(), broken())), { message: "broken" });
});

test("what was read is let go of, however long the other stream is silent", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const passed: WeakRef<object>[] = [];
  const lines = async function* () {
    for (let number = 0; number < 100; number++) {
      await turn();
      const batch = { number };
      passed.push(new WeakRef(batch));
      yield batch;
    }
    await new Promise(() => {});
  };
  const merged = merge<object>(lines(), silent())[Symbol.asyncIterator]();
  for (let number = 0; number < 100; number++) await merged.next();
  await turn();
  collect();
  const held = passed.filter((batch) => batch.deref() !== undefined).length;
  assert.ok(held < 10, `${held} of 100 are still held`);
});
