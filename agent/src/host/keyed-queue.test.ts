import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyedQueue } from "./keyed-queue.ts";

test("tasks with one key run in order, also after one failed; other keys do not wait, and idle is when all are over", async () => {
  const queue = new KeyedQueue();
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue.run("a", async () => {
    await gate;
    order.push("a1");
    throw new Error("failed");
  });
  const second = queue.run("a", async () => order.push("a2"));
  await queue.run("b", async () => order.push("b1"));
  const idle = queue.idle().then(() => order.push("idle"));
  open();
  await assert.rejects(first, /failed/);
  await second;
  await idle;
  assert.deepEqual(order, ["b1", "a1", "a2", "idle"]);
  await queue.idle();
});
