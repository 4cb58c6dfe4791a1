import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { backOffMs } from "./back-off.ts";

test("pauses lie anywhere below a ceiling that doubles up to its maximum", () => {
  const highest = { minMs: 500, maxMs: 20_000, random: (bytes: number) => new Uint8Array(bytes).fill(255) };
  assert.deepEqual(
    [1, 2, 3, 6, 7, 500].map((attempt) => backOffMs(attempt, highest)),
    [500, 1_000, 2_000, 16_000, 20_000, 20_000],
  );
  const lowest = { ...highest, random: (bytes: number) => new Uint8Array(bytes) };
  assert.equal(backOffMs(9, lowest), 0);
});

test("many agents that fail together spread over the whole span", () => {
  const pauses = Array.from({ length: 1_000 }, () =>
    backOffMs(6, { minMs: 500, maxMs: 20_000, random: randomBytes }),
  );
  const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  assert.ok(mean > 7_000 && mean < 9_000, `mean ${mean}`);
  assert.ok(Math.min(...pauses) < 500 && Math.max(...pauses) > 15_000);
});
