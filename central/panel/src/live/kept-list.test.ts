import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleLive } from "../../../../test/support/live/live-samples.ts";
import { listOf } from "./kept-list.ts";
import { applyEvent, emptyTabState } from "./live-state.ts";

const live = sampleLive({
  id: "a",
  command: "node index.js --token=segredo",
  installCommand: "npm ci --token=segredo",
  status: "error",
  error: { code: "start_failed", message: "a última linha: segredo" },
});
const part = { at: "2026-01-01T12:00:00.000Z", isFirst: true, isLast: true, projects: [live] };

test("what is kept of a list holds no command and no message", () => {
  const state = applyEvent(emptyTabState, { event: "snapshot", id: "e-1", data: part }, 5);
  const kept = listOf("account", state);
  assert.equal(kept?.heardAt, 5);
  assert.deepEqual(kept.projects[0]?.project.error, { code: "start_failed", message: "" });
  assert.doesNotMatch(JSON.stringify(kept), /segredo/);
});

test("nothing is kept of what the server did not tell, or after the session's end", () => {
  assert.equal(listOf("account", emptyTabState), null);
  const state = applyEvent(emptyTabState, { event: "snapshot", data: part }, 5);
  assert.equal(listOf("account", { ...state, isKept: true }), null);
  const ended = applyEvent(state, { event: "session_ended", data: { reason: "ended" } }, 6);
  assert.equal(listOf("account", ended), null);
});

test("a kept list is replaced by a whole snapshot, and the last id is continued after", () => {
  const kept = { ...emptyTabState, projects: new Map([["b", sampleLive({ id: "b" })]]), isKept: true };
  const half = applyEvent(kept, { event: "snapshot", data: { ...part, isLast: false } }, 5);
  assert.deepEqual([half.isKept, half.cursor, [...half.projects.keys()]], [true, null, ["b"]]);
  const whole = applyEvent(
    half,
    { event: "snapshot", id: "e-2", data: { ...part, isFirst: false, projects: [] } },
    6,
  );
  assert.deepEqual([whole.isKept, whole.cursor, [...whole.projects.keys()]], [false, "e-2", ["a"]]);
});
