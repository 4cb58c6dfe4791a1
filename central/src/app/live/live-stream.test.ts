import assert from "node:assert/strict";
import { test } from "node:test";
import { applyLiveEvent, emptyLiveState } from "@tijolo/protocol";
import { sampleAccount, sampleLive } from "../../../../test/support/live/live-samples.ts";
import { snapshotParts } from "./live-stream.ts";

const at = "2026-01-01T12:00:00.000Z";
const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(3, "0")}`);

test("a snapshot is sent in parts of 100 projects, and only its last part can be continued after", () => {
  for (const [count, lengths] of [
    [0, [0]],
    [1, [1]],
    [100, [100]],
    [201, [100, 100, 1]],
  ] as const) {
    const projects = ids(count).map((id) => sampleLive({ id }));
    const all = [
      ...snapshotParts({ at, cursor: "7-9", account: sampleAccount(), unread: 2, projects }),
    ].flat();
    const parts = all.filter((event) => event.event === "snapshot");
    assert.deepEqual(
      parts.map(({ data }) => data.projects.length),
      lengths,
    );
    assert.deepEqual(
      all.map(({ id }) => id),
      [...all.slice(1).map(() => undefined), "7-9"],
    );
    assert.deepEqual([parts[0]?.data.isFirst, parts.at(-1)?.data.isLast], [true, true]);
    const state = all.reduce(applyLiveEvent, emptyLiveState);
    assert.deepEqual([state.isComplete, state.unread, state.projects.size], [true, 2, count]);
  }
});
