import assert from "node:assert/strict";
import { test } from "node:test";
import { ReconcilerDriver } from "@tijolo/protocol/kit";

test("runs of one do not overlap, a failure is told and the next run comes, and the end waits for what is under way", async () => {
  const told: object[] = [];
  const gate = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  let [atOnce, mostAtOnce, slowRuns, runs] = [0, 0, 0, 0];
  const slow = async () => {
    slowRuns++;
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await gate.promise;
    atOnce--;
  };
  const failing = async () => {
    if (++runs === 3) third.resolve();
    throw new Error(`run ${runs}`);
  };
  const driver = new ReconcilerDriver(
    [
      { name: "slow", everyMs: 1, run: slow },
      { name: "failing", everyMs: 1, run: failing },
    ],
    { error: (fields) => void told.push(fields) },
  );
  const keepsAlive = setInterval(() => {}, 1_000); // the driver's own timers hold no process up
  await third.promise;
  assert.deepEqual([slowRuns, mostAtOnce], [1, 1], "it has not ended yet");
  assert.deepEqual(told[0], { err: new Error("run 1"), reconciler: "failing" });
  let hasEnded = false;
  const ending = driver[Symbol.asyncDispose]().then(() => (hasEnded = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasEnded, false);
  gate.resolve();
  await ending;
  assert.equal(atOnce, 0);
  clearInterval(keepsAlive);
});
