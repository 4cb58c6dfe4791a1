import assert from "node:assert/strict";
import { test } from "node:test";
import { limitLevel, percentOf } from "./limit-level.ts";

test("each share is told of once on the way up, and again only after a fall of 5 points", () => {
  const uses: [usedPercent: number, level: 0 | 75 | 90 | 100][] = [
    [0, 0],
    [74, 0],
    [75, 75],
    [89, 75],
    [71, 75],
    [75, 75],
    [70, 0],
    [74, 0],
    [75, 75],
    [90, 90],
    [86, 90],
    [85, 75],
    [95, 90],
    [100, 100],
    [120, 100],
    [96, 100],
    [95, 90],
    [100, 100],
    [10, 0],
    [100, 100],
  ];
  let before: 0 | 75 | 90 | 100 = 0;
  for (const [index, [usedPercent, level]] of uses.entries()) {
    before = limitLevel(before, usedPercent);
    assert.equal(before, level, `step ${index}: ${usedPercent} %`);
  }
});

test("a use is never shown as more than it is, and no limit is never reached", () => {
  assert.equal(percentOf(191, 256), 74);
  assert.equal(percentOf(192, 256), 75);
  assert.equal(percentOf(255, 256), 99);
  assert.equal(percentOf(256, 256), 100);
  assert.equal(percentOf(5, 0), 0);
});
