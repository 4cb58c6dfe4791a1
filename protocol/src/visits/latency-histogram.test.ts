import assert from "node:assert/strict";
import { test } from "node:test";
import { LatencyHistogram } from "./latency-histogram.ts";

function histogramOf(durations: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const durationMs of durations) histogram.add(durationMs);
  return histogram;
}

test("a percentile is within a class of the truth", () => {
  const histogram = histogramOf(Array.from({ length: 1_000 }, (_, index) => index + 1));
  for (const [share, truth] of [
    [0.5, 500],
    [0.95, 950],
    [0.99, 990],
  ] as const) {
    const value = histogram.quantile(share) ?? 0;
    assert.ok(Math.abs(value - truth) <= 0.1 * truth, `${value} is not near ${truth}`);
  }
});

test("nothing counted has no percentile", () => {
  assert.equal(histogramOf([]).quantile(0.5), null);
});

test("what is no duration, too short or too long falls into the first or the last class", () => {
  assert.ok((histogramOf([0, -5, Number.NaN]).quantile(1) ?? 1) < 1);
  assert.ok((histogramOf([1e12, Infinity]).quantile(0) ?? 0) > 500_000);
});

test("merged histograms are that of all durations, and text keeps them", () => {
  const merged = histogramOf([1, 2, 3]);
  merged.merge(LatencyHistogram.decode(histogramOf([400, 500]).encode()));
  assert.equal(merged.encode(), histogramOf([1, 2, 3, 400, 500]).encode());
  assert.equal(LatencyHistogram.decode("x 1:-4 999:3 5:2.5 7").encode(), "");
});
