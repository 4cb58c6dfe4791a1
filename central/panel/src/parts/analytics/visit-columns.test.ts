import assert from "node:assert/strict";
import { test } from "node:test";
import { visitColumns } from "./visit-columns.ts";

const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

test("a step without visits is zero, and steps that have not begun are left out", () => {
  const series = [
    { at: at(15), visits: 2, requests: 5, errors: 1 },
    { at: at(45), visits: 1, requests: 1, errors: 0 },
  ];
  const columns = visitColumns({ start: at(0), end: at(120), intervalSeconds: 900, series }, 50 * 60_000);
  assert.deepEqual(columns, {
    times: [0, 900, 1_800, 2_700],
    lines: [
      [0, 2, 0, 1],
      [0, 5, 0, 1],
      [0, 1, 0, 0],
    ],
  });
});

test("a period that has not begun has no step", () => {
  const columns = visitColumns({ start: at(60), end: at(120), intervalSeconds: 900, series: [] }, 0);
  assert.deepEqual(columns.times, []);
});
