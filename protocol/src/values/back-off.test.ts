import assert from "node:assert/strict";
import { test } from "node:test";
import { backOffMs, noJitter } from "./back-off.ts";

const bounds = { minMs: 500, maxMs: 20_000 };

test("pauses lie anywhere below a ceiling that doubles up to its maximum", () => {
  const highest = { ...bounds, random: noJitter };
  assert.deepEqual(
    [1, 2, 3, 6, 7, 500].map((failures) => backOffMs(failures, highest)),
    [500, 1_000, 2_000, 16_000, 20_000, 20_000],
  );
  assert.equal(backOffMs(9, { ...bounds, random: () => 0 }), 0);
});

test("a least share of the ceiling is always waited for", () => {
  assert.equal(backOffMs(2, { ...bounds, random: () => 0, minShare: 0.5 }), 500);
  assert.equal(backOffMs(2, { ...bounds, random: () => 0.5, minShare: 0.5 }), 750);
});

test("many agents that fail together spread over the whole span", () => {
  const pauses = Array.from({ length: 1_000 }, () => backOffMs(6, { ...bounds, random: Math.random }));
  const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  assert.ok(mean > 7_000 && mean < 9_000, `mean ${mean}`);
  assert.ok(Math.min(...pauses) < 500 && Math.max(...pauses) > 15_000);
});
