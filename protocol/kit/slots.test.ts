import assert from "node:assert/strict";
import { test } from "node:test";
import { Slots } from "./slots.ts";

const done = async () => "done";

test("so many run at once, the others in order of arrival, also after one that failed", async () => {
  const slots = new Slots(2);
  const order: number[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const runs = [0, 1, 2, 3].map((number) =>
    slots.run(async () => {
      order.push(number);
      await gate;
      if (number === 0) throw new Error("failed");
    }),
  );
  await Promise.resolve();
  assert.deepEqual(order, [0, 1]);
  open();
  const ends = await Promise.allSettled(runs);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled", "fulfilled"],
  );
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test("more that wait than the bound are refused, until one of them has its turn or leaves", async () => {
  const slots = new Slots(1, { maxWaiting: 1, refusal: () => new Error("full") });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const first = slots.run(() => gate);
  const second = slots.run(done, leaving.signal);
  await assert.rejects(slots.run(done), /full/);
  leaving.abort(new Error("left"));
  await assert.rejects(second, /left/);
  const third = slots.run(done);
  open();
  await first;
  assert.equal(await third, "done");
  assert.equal(await slots.run(done), "done");
});

test("who has left already has no turn", async () => {
  const slots = new Slots(1);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = slots.run(() => gate);
  await assert.rejects(slots.run(done, AbortSignal.abort(new Error("left"))), /left/);
  open();
  await first;
});
