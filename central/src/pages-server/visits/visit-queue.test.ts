import assert from "node:assert/strict";
import { test } from "node:test";
import { SiteCounts } from "./site-counts.ts";
import { VisitQueue } from "./visit-queue.ts";

const countsOf = (name: string) => new SiteCounts(name, 0);

test("what could not be stored is stored by the next call, once", async () => {
  const stored: string[] = [];
  let isFull = true;
  const queue = new VisitQueue({
    logger: { warn() {} },
    async store(counts) {
      if (isFull) throw new Error("the disk is full");
      stored.push(...counts.map(({ projectId }) => projectId));
    },
  });
  queue.add([countsOf("a"), countsOf("b")]);
  await assert.rejects(queue.drain(), /full/);
  queue.add([countsOf("c")]);
  isFull = false;
  await Promise.all([queue.drain(), queue.drain()]);
  assert.deepEqual(stored, ["a", "b", "c"]);
});

test("while nothing can be stored the oldest are dropped, and the log says how many requests", async () => {
  const warnings: object[] = [];
  const stored: string[] = [];
  const queue = new VisitQueue({
    logger: { warn: (fields: object) => void warnings.push(fields) },
    store: async (counts) => void stored.push(...counts.map(({ projectId }) => projectId)),
  });
  const many = Array.from({ length: 5_001 }, (_, index) => countsOf(`site ${index}`));
  for (const counts of many) counts.sums.requests = 2;
  queue.add(many);
  await queue.drain();
  assert.deepEqual(warnings, [{ requests: 2 }]);
  assert.equal(stored.length, 5_000);
  assert.equal(stored[0], "site 1");
});
