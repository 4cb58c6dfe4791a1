import assert from "node:assert/strict";
import { test } from "node:test";
import { finerTier, metricTiers, rowsOfSteps, stepsBetween, stepStart } from "./metric-steps.ts";

test("each tier's steps are whole numbers of the tier below, and outlive the making of the tier above", () => {
  assert.deepEqual(
    metricTiers.map(({ stepSeconds }) => stepSeconds),
    [15, 60, 300, 1_800, 7_200],
  );
  for (const tier of metricTiers.slice(1)) {
    const finer = finerTier(tier.stepSeconds);
    assert.ok(
      finer !== undefined &&
        tier.stepSeconds % finer.stepSeconds === 0 &&
        finer.keptSeconds > 2 * tier.stepSeconds,
    );
  }
  assert.equal(finerTier(15), undefined);
});

test("steps begin at whole multiples of their length", () => {
  assert.equal(stepStart(1_000_007.5, 15), 999_990 + 15);
  assert.deepEqual(stepsBetween(60, 180, 60), [60, 120]);
  assert.deepEqual(stepsBetween(60, 181, 60), [60, 120, 180]);
  assert.deepEqual(stepsBetween(60, 60, 60), []);
});

test("a step that is due is read from its parts, and they from theirs", () => {
  const dues = [
    { stepSeconds: 300, at: 600 },
    { stepSeconds: 60, at: 840 },
    { stepSeconds: 1_800, at: 0 },
  ];
  assert.deepEqual(rowsOfSteps({ stepSeconds: 300, ats: [300, 600] }, dues), [
    { stepSeconds: 300, ats: [300] },
    { stepSeconds: 60, ats: [600, 660, 720, 780] },
    { stepSeconds: 15, ats: [840, 855, 870, 885] },
  ]);
  assert.deepEqual(rowsOfSteps({ stepSeconds: 300, ats: [300] }, dues), [{ stepSeconds: 300, ats: [300] }]);
});
