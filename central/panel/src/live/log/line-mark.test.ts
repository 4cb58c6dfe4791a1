import assert from "node:assert/strict";
import { test } from "node:test";
import { findMarked, findMoment, markOf, momentOf } from "./line-mark.ts";
import { emptyBuffer, withNewer } from "./log-buffer.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const line = (second: number, text: string) => ({
  at: at(second),
  section: "app",
  stream: "stdout",
  version: 1,
  text,
});
const { entries } = withNewer(
  emptyBuffer,
  [line(1, "a"), line(2, "b"), line(2, "c")].map((each) => ({ kind: "line" as const, line: each })),
);

test("a mark finds its line, also among lines of the same moment", () => {
  assert.equal(findMarked(entries, markOf(line(2, "c"))), 2);
  assert.equal(findMarked(entries, markOf(line(2, "d"))), null);
  assert.equal(momentOf(markOf(line(2, "c"))), at(2));
});

test("a moment finds the first line from there on", () => {
  assert.equal(findMoment(entries, at(2)), 1);
  assert.equal(findMoment(entries, at(9)), 2);
  assert.equal(findMoment([], at(1)), null);
});

test("what is no mark names no moment", () => {
  assert.deepEqual([momentOf(undefined), momentOf("~"), momentOf("yesterday~1")], [null, null, null]);
});
