import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkline } from "./sparkline.ts";
import { summarizeSeries } from "./summarize-series.ts";

test("a sparkline goes from zero to the greatest value and shows its gaps", () => {
  assert.equal(sparkline([0, 50, null, 100]), "▁▅·█");
  assert.equal(sparkline([0, 0]), "▁▁");
  assert.equal(sparkline([null]), "·");
  assert.equal(sparkline([]), "");
});

test("samples fall into the columns of their time; columns without any are gaps", () => {
  const samples = [0, 1, 2, 7, 8, 9].map((second) => ({ atMs: second * 1_000, value: second }));
  const { columns, figures } = summarizeSeries(samples, {
    fromMs: 0,
    untilMs: 10_000,
    stepMs: 1_000,
    columns: 5,
  });
  assert.deepEqual(columns, [0.5, 2, null, 7, 8.5]);
  assert.deepEqual(figures, { min: 0, average: 27 / 6, max: 9 });
});

test("a column is never narrower than a step, and what lies outside the window is left out", () => {
  const window = { fromMs: 10_000, untilMs: 20_000, stepMs: 5_000, columns: 60 };
  const { columns } = summarizeSeries(
    [
      { atMs: 0, value: 9 },
      { atMs: 10_000, value: 1 },
      { atMs: 20_000, value: 2 },
    ],
    window,
  );
  assert.deepEqual(columns, [1, 2]);
  assert.equal(summarizeSeries([], window).figures, null);
});
