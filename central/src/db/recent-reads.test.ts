import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentReads } from "./recent-reads.ts";

test("a value is read once until it changes", async () => {
  const reads = new RecentReads();
  let count = 0;
  const read = async () => ({ count: ++count });
  assert.deepEqual(await reads.find("a", read), { count: 1 });
  assert.deepEqual(await reads.find("a", read), { count: 1 });
  reads.forget("b");
  assert.deepEqual(await reads.find("a", read), { count: 1 });
  reads.forget("a");
  assert.deepEqual(await reads.find("a", read), { count: 2 });
  reads.forgetAll();
  assert.deepEqual(await reads.find("a", read), { count: 3 });
});

test("what was read before a change that came meanwhile is not kept, and who asks after it does not get it", async () => {
  const reads = new RecentReads();
  const old = Promise.withResolvers<{ value: string }>();
  const reading = reads.find("a", () => old.promise);
  reads.forget("a");
  const after = reads.find("a", async () => ({ value: "new" }));
  old.resolve({ value: "old" });
  assert.deepEqual([await reading, await after], [{ value: "old" }, { value: "new" }]);
  assert.deepEqual(await reads.find("a", async () => ({ value: "new" })), { value: "new" });
});

test("what is missing is looked for again", async () => {
  const reads = new RecentReads();
  assert.equal(await reads.find("a", async () => undefined), undefined);
  assert.deepEqual(await reads.find("a", async () => ({ value: 1 })), { value: 1 });
});

test("who asks while it is being read waits for that", async () => {
  const reads = new RecentReads();
  let count = 0;
  const read = async () => ({ count: ++count });
  assert.deepEqual(await Promise.all([reads.find("a", read), reads.find("a", read)]), [{ count: 1 }, { count: 1 }]);
});
