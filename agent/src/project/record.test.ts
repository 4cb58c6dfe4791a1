import assert from "node:assert/strict";
import { test } from "node:test";
import { newRecord, readRecord, withTellableDetail } from "./record.ts";

const saved = {
  ...newRecord,
  runNumber: 7,
  observed: { ...newRecord.observed, phase: "running" as const, restartCount: 3 },
};

test("a record is read as it was saved", () => {
  assert.deepEqual(readRecord(JSON.parse(JSON.stringify(saved))), saved);
});

test("a record of an older agent, which lacks a field, keeps what it has", () => {
  const { imageLayers: _, ...older } = saved;
  assert.deepEqual(readRecord(older), saved);
});

test("a record of a newer agent, which has more fields, keeps what is known", () => {
  assert.deepEqual(
    readRecord({ ...saved, colour: "red", observed: { ...saved.observed, mood: "good" } }),
    saved,
  );
});

test("what is no record is none", () => {
  for (const value of [undefined, null, 3, "x", {}, { observed: 1 }, { observed: { phase: "flying" } }])
    assert.equal(readRecord(value), undefined);
});

test("a record whose sentence for the owner is longer than central takes is read, and its project is not taken for a new one", () => {
  const longer = { ...saved, observed: { ...saved.observed, errorDetail: "x".repeat(700) } };
  assert.equal(readRecord(longer)?.runNumber, 7);
});

test("a sentence for the owner is as long as central takes at most, and no character of it is cut in two", () => {
  const told = (errorDetail: string) =>
    withTellableDetail({ ...saved, observed: { ...saved.observed, errorDetail } }).observed.errorDetail;
  assert.equal(told("x".repeat(500)), "x".repeat(500));
  assert.equal(told("x".repeat(501)), `${"x".repeat(499)}…`);
  assert.equal(told(`x${"😀".repeat(250)}`), `x${"😀".repeat(249)}…`);
  assert.equal(told("😀".repeat(251)), `${"😀".repeat(249)}…`);
  assert.equal(told("half \ud83d"), "half \ufffd");
});
