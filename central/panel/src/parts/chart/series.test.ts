import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "./series.ts";

const point = (second: number, value: number | null) => ({
  at: new Date(second * 1000).toISOString(),
  value,
});

test("points that follow each other make an unbroken line", () => {
  const points = [point(0, 1), point(15, 2), point(30, 3)];
  assert.deepEqual(columnsOf(points, 15, [({ value }) => value]), {
    times: [0, 15, 30],
    lines: [[1, 2, 3]],
  });
});

test("a missing step is a gap, however long it lasts", () => {
  const points = [point(0, 1), point(300, 2)];
  assert.deepEqual(columnsOf(points, 15, [({ value }) => value, () => 7]), {
    times: [0, 15, 300],
    lines: [
      [1, null, 2],
      [7, null, 7],
    ],
  });
});

test("nothing measured makes empty columns", () => {
  assert.deepEqual(columnsOf([], 15, [() => 1]), { times: [], lines: [[]] });
});
