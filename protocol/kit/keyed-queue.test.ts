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

test("more tasks of one key than the bound are refused, until one of them is over; those of another key are not", async () => {
  const queue = new KeyedQueue({ maxTasks: 2, refusal: () => new Error("busy") });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const taken = [queue.run("a", () => gate), queue.run("a", async () => {})];
  await assert.rejects(
    queue.run("a", async () => {}),
    /busy/,
  );
  await queue.run("b", async () => {});
  open();
  await Promise.all(taken);
  await queue.run("a", async () => {});
});
