import assert from "node:assert/strict";
import { test } from "node:test";
import { SerialQueue } from "./serial-queue.ts";

test("tasks run one at a time and in order, also after one failed, and idle is when all are over", async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue.run(async () => {
    order.push("first begins");
    await gate;
    order.push("first fails");
    throw new Error("failed");
  });
  const second = queue.run(async () => order.push("second"));
  const idle = queue.idle().then(() => order.push("idle"));
  open();
  await assert.rejects(first, /failed/);
  assert.equal(await second, 3, "a task's result is the caller's");
  await idle;
  assert.deepEqual(order, ["first begins", "first fails", "second", "idle"]);
});

test("a task that throws at once is rejected like one that fails later", async () => {
  const queue = new SerialQueue();
  const thrown = queue.run(() => {
    throw new Error("at once");
  });
  await assert.rejects(thrown, /at once/);
  assert.equal(await queue.run(async () => "next"), "next");
});
