import assert from "node:assert/strict";
import { test } from "node:test";
import { noJitter } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import { KeptWork } from "./kept-work.ts";

const pauses = { minMs: 1, maxMs: 4, random: noJitter };

test("work is done again after a pause, and after a failure, which is told", async () => {
  let done = 0;
  const failures: unknown[] = [];
  const kept = new KeptWork({
    async work() {
      done += 1;
      if (done === 2) throw new Error("once");
    },
    everyMs: 1,
    pauses,
    onFailure: (error) => failures.push(error),
  });
  await kept.keep();
  assert.equal(done, 1);
  await until(() => done > 4);
  await kept.close();
  assert.deepEqual(failures.map(String), ["Error: once"]);
});

test("it is never done twice at the same time, nor begun after the end", async () => {
  let [running, most, done] = [0, 0, 0];
  const kept = new KeptWork({
    async work() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done += 1;
    },
    everyMs: 60_000,
    pauses,
    onFailure: () => {},
  });
  await Promise.all([kept.keep(), kept.keep(), kept.keep()]);
  assert.deepEqual([most, done], [1, 3]);
  await kept.close();
  await kept.keep();
  assert.equal(done, 3);
});
