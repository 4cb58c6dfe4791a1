import assert from "node:assert/strict";
import { test } from "node:test";
import { stageNames, stagesOf, type StageSigns } from "./stages.ts";

type Given = Parameters<typeof stagesOf>[0];

function told(
  status: Given["status"],
  signs: Partial<StageSigns> & { crashes?: number } = {},
  code?: string,
): string {
  const error = code === undefined ? null : ({ code, message: "" } as Given["error"]);
  const project = { status, error, consecutiveCrashes: signs.crashes ?? 0 };
  const { states, end } = stagesOf(project, { isSilent: false, isSettled: true, willStart: false, ...signs });
  return [...stageNames.map((name) => states[name]), end].join(" ");
}

test("each status of a project is one step on its way up, or an end", () => {
  assert.equal(told("creating"), "done now next next ");
  assert.equal(told("installing"), "done now next next ");
  assert.equal(told("restarting"), "done done now next ");
  assert.equal(told("running"), "done done done done running");
  assert.equal(told("stopped"), "done done next next off");
  assert.equal(told("stopped", { willStart: true }), "done done now next ");
  assert.equal(told("error", {}, "install_timeout"), "done failed next next failed");
  assert.equal(told("error", {}, "process_exited"), "done done failed next failed");
  assert.equal(told("crash_loop", {}, "crash_loop"), "done done failed next failed");
});

test("it is on the air when it answers and stays up; what falls, or is silent for long, is told before", () => {
  assert.equal(told("running", { isSettled: false }), "done done done now ");
  assert.equal(told("running", { isSilent: true, isSettled: false }), "done done done now ");
  assert.equal(told("running", { isSilent: true }), "done done done now silent");
  assert.equal(told("restarting", { crashes: 1 }), "done done now next crashing");
  assert.equal(told("running", { crashes: 1, isSettled: false }), "done done done now crashing");
  assert.equal(told("running", { crashes: 1 }), "done done done done running");
});
