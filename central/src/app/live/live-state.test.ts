import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAccount, sampleLive, sampleNotice } from "../../../../test/support/live/live-samples.ts";
import { LiveState } from "./live-state.ts";

const kindsSince = (state: LiveState, number: number) =>
  state.changesSince(number)?.map(({ number, event }) => [number, event.event]) ?? null;

test("many changes of one project are one event, at the place of the last", () => {
  const state = new LiveState(1_000);
  state.putProject(sampleLive({ id: "a" }));
  state.putProject(sampleLive({ id: "b" }));
  for (let count = 1; count <= 5; count++)
    state.putProject(sampleLive({ id: "a", consecutiveCrashes: count }));
  assert.equal(state.last, 1_007);
  const changes = state.changesSince(1_000) ?? [];
  assert.deepEqual(
    changes.map(({ number, event }) => [number, event.event === "project" && event.data.project.id]),
    [
      [1_002, "b"],
      [1_007, "a"],
    ],
  );
  assert.deepEqual(kindsSince(state, 1_004), [[1_007, "project"]]);
  assert.deepEqual(kindsSince(state, 1_007), []);
});

test("what changes all the time is no change: usage, the host's contact, the windows of the limits", () => {
  const state = new LiveState(0);
  const usage = { memoryMb: 1, cpuPercent: 2, networkInBps: 3, networkOutBps: 4 };
  state.putProject(sampleLive());
  state.putProject({ ...sampleLive({ usage }), hostSeenAt: "2026-01-01T12:00:05.000Z" });
  state.putAccount(sampleAccount());
  const window = { limit: 60, remaining: 1, resetSeconds: 1 };
  state.putAccount(sampleAccount({ requests: { perMinute: window, perDay: window } }));
  state.putUnread(0);
  assert.equal(state.last, 2);
  state.putProject({ ...sampleLive(), isHostAway: true });
  state.putAccount(sampleAccount({ suspendedAt: "2026-01-01T12:00:05.000Z" }));
  assert.equal(state.last, 4);
});

test("a deletion, a notice and the number of unread ones have places of their own", () => {
  const state = new LiveState(0);
  state.putProject(sampleLive({ id: "a" }));
  state.deleteProject("never there");
  state.deleteProject("a");
  state.putNotice(sampleNotice({ id: "n" }));
  state.putNotice(sampleNotice({ id: "n", count: 2 }));
  state.putUnread(1);
  assert.deepEqual(kindsSince(state, 0), [
    [2, "project_deleted"],
    [4, "notice"],
    [5, "notice"],
  ]);
  state.putProject(sampleLive({ id: "a" }));
  assert.deepEqual(kindsSince(state, 5), [[6, "project"]]);
  assert.ok(!kindsSince(state, 0)?.some(([, kind]) => kind === "project_deleted"));
});

test("a reader continues within the last events only, and only after places of this state", () => {
  const state = new LiveState(100, 3);
  for (const id of ["a", "b", "c", "d", "e"]) state.putProject(sampleLive({ id }));
  for (const unknown of [99, 100, 101, 106, 1e9])
    assert.equal(state.changesSince(unknown), null, `${unknown}`);
  assert.equal(kindsSince(state, 102)?.length, 3);
  assert.equal(new LiveState(100, 3).changesSince(100)?.length, 0);
});

test("deletions and notices that nobody continues before are forgotten", () => {
  const state = new LiveState(0, 2);
  for (const id of ["a", "b", "c"]) {
    state.putProject(sampleLive({ id }));
    state.deleteProject(id);
    state.putNotice(sampleNotice({ id }));
  }
  assert.equal(state.last, 9);
  assert.deepEqual(kindsSince(state, 7), [
    [8, "project_deleted"],
    [9, "notice"],
  ]);
});

test("projects are listed by their ids, however they came", () => {
  const state = new LiveState(0);
  for (const id of ["c", "a", "b"]) state.putProject(sampleLive({ id }));
  assert.deepEqual(
    state.projects().map(({ project }) => project.id),
    ["a", "b", "c"],
  );
});
