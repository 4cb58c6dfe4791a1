import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sampleAccount, sampleLive, sampleNotice } from "../../../test/support/live/live-samples.ts";
import type { LiveEvent } from "../nouns/live-event.ts";
import { applyLiveEvent, emptyLiveState, type LiveState } from "./apply-live-event.ts";

const at = "2026-01-01T12:00:00.000Z";
const part = (isFirst: boolean, isLast: boolean, ...ids: string[]): LiveEvent => ({
  event: "snapshot",
  data: { at, isFirst, isLast, projects: ids.map((id) => sampleLive({ id })) },
});
const after = (state: LiveState, ...events: LiveEvent[]) => events.reduce(applyLiveEvent, state);
const ids = ({ projects }: LiveState) => [...projects.keys()];

test("a snapshot replaces what was known when its last part has come, not before", () => {
  const first = after(emptyLiveState, part(true, true, "old"));
  assert.deepEqual([ids(first), first.isComplete], [["old"], true]);
  const half = after(first, part(true, false, "a"));
  assert.deepEqual(ids(half), ["old"]);
  assert.deepEqual(ids(after(half, part(false, true, "b"))), ["a", "b"]);
  assert.deepEqual(ids(after(half, part(true, true, "c"))), ["c"], "one that begins anew");
});

test("each event changes its part, and no state that was there before", () => {
  const usage = { memoryMb: 1, cpuPercent: 2, networkInBps: 3, networkOutBps: 4 };
  const start = after(emptyLiveState, part(true, true, "a", "b"));
  const next = after(
    start,
    { event: "project", data: sampleLive({ id: "b", status: "stopped" }) },
    { event: "project", data: sampleLive({ id: "c" }) },
    { event: "project_deleted", data: { id: "c" } },
    { event: "project_deleted", data: { id: "unknown" } },
    {
      event: "usage",
      data: { at, projects: ["a", "b", "unknown"].map((id) => ({ id, usage, hostSeenAt: at })) },
    },
    { event: "account", data: { account: sampleAccount() } },
    { event: "notice", data: { notice: sampleNotice(), unread: 2 } },
    { event: "notice", data: { notice: null, unread: 1 } },
    { event: "session_ended", data: { reason: "ended" } },
  );
  assert.deepEqual(ids(next), ["a", "b"]);
  assert.deepEqual(next.projects.get("a")?.project.usage, usage);
  assert.equal(next.projects.get("b")?.project.usage, null, "what is stopped uses nothing");
  assert.deepEqual([next.account?.name, next.unread, next.notice?.kind], ["Ana", 1, "test"]);
  assert.deepEqual([next.usageAt, next.ended], [at, "ended"]);
  assert.deepEqual(start, after(emptyLiveState, part(true, true, "a", "b")));
});

test("a browser loads this file alone: it imports types only", async () => {
  const text = await readFile(join(import.meta.dirname, "apply-live-event.ts"), "utf8");
  assert.match(text, /^import type /m);
  assert.doesNotMatch(text, /^import (?!type)|^export (?!type)[^;]* from /m);
});
