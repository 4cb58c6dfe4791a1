import assert from "node:assert/strict";
import { test } from "node:test";
import { linkMaxFrameBytes, type HostLogItem } from "@tijolo/protocol";
import { splitBatch } from "./answer-batches.ts";

function line(text: string): HostLogItem {
  return {
    kind: "line",
    cursor: "1",
    line: { at: "2026-01-01T00:00:00.000Z", section: "app", stream: "stdout", version: 1, text },
  };
}

test("every piece fits a frame even when every character has to be escaped, and nothing is lost", () => {
  const items = Array.from({ length: 10_000 }, (_, index) =>
    line("\u0000".repeat(index % 3 === 0 ? 16_384 : 10)),
  );
  const pieces = [...splitBatch(items)];
  assert.deepEqual(pieces.flat(), items);
  for (const piece of pieces)
    assert.ok(JSON.stringify(piece).length < linkMaxFrameBytes && piece.length <= 5_000);
});

test("nothing is no piece", () => {
  assert.deepEqual([...splitBatch([])], []);
});
