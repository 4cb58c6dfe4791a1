import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEvent } from "@tijolo/protocol";
import { collectPage } from "./log-page.ts";

const at = "2026-01-01T00:00:00.000Z";
const line = (id: string): LogEvent => ({ event: "log", id, data: { at, section: "app", stream: "stdout", version: 1, text: id } });
const gap = (id: string): LogEvent => ({ event: "gap", id, data: { at, droppedLines: 3 } });

async function* batchesOf(...batches: LogEvent[][]) {
  yield* batches;
}

test("a page that begins with a gap, or is nothing else, still continues after it", async () => {
  assert.deepEqual(await collectPage(batchesOf([gap("a")]), 1), { lines: [], gaps: [{ at, droppedLines: 3 }], nextCursor: "a" });
  const { lines, gaps, nextCursor } = await collectPage(batchesOf([gap("a"), line("b")], [gap("c")]), 10);
  assert.deepEqual([lines.map(({ text }) => text), gaps.length, nextCursor], [["b"], 2, "c"]);
});

test("no more is taken than was asked for, from a host that never ends either", async () => {
  let hasEnded = false;
  async function* endless(batch: LogEvent[]) {
    hasEnded = false;
    try {
      for (;;) yield batch;
    } finally {
      hasEnded = true;
    }
  }
  const { lines, nextCursor } = await collectPage(endless([line("a"), line("b"), line("c")]), 5);
  assert.deepEqual([lines.length, nextCursor, hasEnded], [5, "b", true]);
  const page = await collectPage(endless([gap("a"), gap("b")]), 5);
  assert.deepEqual([page.lines.length, page.gaps.length, page.nextCursor, hasEnded], [0, 1000, "b", true]);
});

test("without events there is nothing to continue after", async () => {
  assert.deepEqual(await collectPage(batchesOf([], []), 10), { lines: [], gaps: [], nextCursor: null });
});
