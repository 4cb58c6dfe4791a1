import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { test } from "node:test";
import { readFrame } from "./read-frame.ts";

const call = { id: 1, method: "mutation", params: { path: "challenge" } };

test("a call, a batch of calls and a stop are frames", () => {
  for (const frame of [call, [call, call], { id: "x", method: "subscription.stop" }])
    assert.deepEqual(readFrame(JSON.stringify(frame)), frame);
});

test("everything else is refused", () => {
  const refused: unknown[] = [
    null,
    1,
    "x",
    [],
    {},
    [call, null],
    { ...call, id: null },
    { ...call, method: "get" },
    { ...call, params: null },
    { ...call, params: { path: 1 } },
    Array.from({ length: 101 }, () => call),
  ];
  for (const frame of refused)
    assert.equal(readFrame(JSON.stringify(frame)), undefined, JSON.stringify(frame));
  assert.equal(readFrame(Buffer.from(JSON.stringify(call))), undefined, "binary");
});

test("100,000 random texts are refused without a throw", () => {
  const valid = JSON.stringify([call, call]);
  for (let round = 0; round < 100_000; round++) {
    const cut = randomInt(1, valid.length);
    const text =
      round % 2 === 0
        ? randomBytes(randomInt(1, 100)).toString("latin1")
        : valid.slice(0, cut) + randomBytes(2).toString("hex") + valid.slice(cut + randomInt(5));
    readFrame(text);
  }
  assert.equal(readFrame("[".repeat(1_000_000)), undefined);
});
