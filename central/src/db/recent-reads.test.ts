import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentReads } from "./recent-reads.ts";

test("a value is read once until something is committed", async () => {
  const reads = new RecentReads();
  let count = 0;
  const read = async () => ({ count: ++count });
  assert.deepEqual(await reads.find("a", read), { count: 1 });
  assert.deepEqual(await reads.find("a", read), { count: 1 });
  reads.forget();
  assert.deepEqual(await reads.find("a", read), { count: 2 });
});

test("what was read before a commit that came meanwhile is not kept", async () => {
  const reads = new RecentReads();
  const old = Promise.withResolvers<{ value: string }>();
  const reading = reads.find("a", () => old.promise);
  reads.forget();
  old.resolve({ value: "old" });
  await reading;
  assert.deepEqual(await reads.find("a", async () => ({ value: "new" })), { value: "new" });
});

test("what is missing is looked for again", async () => {
  const reads = new RecentReads();
  assert.equal(await reads.find("a", async () => undefined), undefined);
  assert.deepEqual(await reads.find("a", async () => ({ value: 1 })), { value: 1 });
});
