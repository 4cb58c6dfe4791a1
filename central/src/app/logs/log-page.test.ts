import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostLogItem } from "@tijolo/protocol";
import { collectPage } from "./log-page.ts";

const at = "2026-01-01T00:00:00.000Z";
const line = (cursor: string): HostLogItem => ({
  kind: "line",
  cursor,
  line: { at, section: "app", stream: "stdout", version: 1, text: cursor },
});
const gap = (cursor: string): HostLogItem => ({ kind: "gap", cursor, at, droppedLines: 3 });
const previous = (cursor: string): HostLogItem => ({ kind: "previous", cursor });

async function* batchesOf(...batches: HostLogItem[][]) {
  yield* batches;
}

test("a page that begins with a gap, or is nothing else, still continues after it", async () => {
  const onlyGap = { lines: [], gaps: [{ at, droppedLines: 3 }], nextCursor: "a", previousCursor: null };
  assert.deepEqual(await collectPage(batchesOf([gap("a")]), 1), onlyGap);
  const { lines, gaps, nextCursor } = await collectPage(batchesOf([gap("a"), line("b")], [gap("c")]), 10);
  assert.deepEqual([lines.map(({ text }) => text), gaps.length, nextCursor], [["b"], 2, "c"]);
});

test("no more is taken than was asked for, from a host that never ends either", async () => {
  let hasEnded = false;
  async function* endless(batch: HostLogItem[]) {
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

test("without items there is nothing to continue after, and what is older is told all the same", async () => {
  const empty = { lines: [], gaps: [], nextCursor: null, previousCursor: null };
  assert.deepEqual(await collectPage(batchesOf([], []), 10), empty);
  assert.deepEqual(await collectPage(batchesOf([previous("a")]), 0), { ...empty, previousCursor: "a" });
  const { lines, nextCursor, previousCursor } = await collectPage(
    batchesOf([previous("a"), line("b")], [line("c")]),
    1,
  );
  assert.deepEqual([lines.length, nextCursor, previousCursor], [1, "b", "a"]);
});
