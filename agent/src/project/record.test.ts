import assert from "node:assert/strict";
import { test } from "node:test";
import { newRecord, readRecord } from "./record.ts";

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

test("a record whose details are longer than central takes is read, and its project is not taken for a new one", () => {
  const entry = "x".repeat(700);
  const longer = {
    ...saved,
    observed: { ...saved.observed, errorDetails: [{ code: "entry_missing", entry }] },
  };
  assert.deepEqual(readRecord(longer), saved);
});

test("of the details that another version of the agent saved, those that are known are kept", () => {
  const known = { code: "exit_code", exitCode: 3 } as const;
  const observed = { ...saved.observed, errorDetails: [{ code: "unheard_of", words: "x" }, known] };
  assert.deepEqual(readRecord({ ...saved, observed })?.observed.errorDetails, [known]);
});

test("settings of another agent that cannot be read cost the way back, and not the record", () => {
  const read = readRecord({
    ...saved,
    settings: { type: "cron" },
    earlier: { odd: true },
    kept: "x",
    next: 7,
  });
  assert.deepEqual(read, saved);
});
