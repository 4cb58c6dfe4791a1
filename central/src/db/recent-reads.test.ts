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

test("what an open transaction read or staged is kept with its commit, not when it is undone or changes again", async () => {
  const reads = new RecentReads();
  const value = (name: string) => async () => ({ name });
  await reads.findInside("a", value("read inside"));
  assert.deepEqual(await reads.findInside("a", value("read again")), { name: "read inside" });
  assert.deepEqual(await reads.find("b", value("before")), { name: "before" });
  reads.forget("b");
  reads.stage("b", { name: "staged" });
  reads.keepStaged();
  assert.deepEqual(await reads.find("a", value("other")), { name: "read inside" });
  assert.deepEqual(await reads.findInside("b", value("other")), { name: "staged" });

  reads.forget("a");
  reads.stage("a", { name: "undone" });
  reads.dropStaged();
  reads.keepStaged();
  assert.deepEqual(await reads.find("a", value("from the row")), { name: "from the row" });

  reads.stage("b", { name: "changed again" });
  reads.forget("b");
  reads.stage("c", { name: "changed again" });
  reads.forgetAll();
  reads.keepStaged();
  for (const key of ["b", "c"])
    assert.deepEqual(await reads.find(key, value("from the row")), { name: "from the row" });
});

test("others do not see what a transaction staged before it is committed", async () => {
  const reads = new RecentReads();
  reads.stage("a", { name: "staged" });
  assert.deepEqual(await reads.find("a", async () => ({ name: "committed" })), { name: "committed" });
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
  assert.deepEqual(await Promise.all([reads.find("a", read), reads.find("a", read)]), [
    { count: 1 },
    { count: 1 },
  ]);
});
