import assert from "node:assert/strict";
import { test } from "node:test";
import type { DesiredRun, LiveAction, ObservedState } from "@tijolo/protocol";
import { sampleState } from "../../../../test/support/samples.ts";
import { liveActionOf } from "./live-action.ts";

const on: DesiredRun = { run: "on", restartCount: 1, versionNumber: 1 };
const again: DesiredRun = { ...on, restartCount: 2 };
const off: DesiredRun = { ...on, run: "off" };

test("an action is named by what it does to what is there", () => {
  const cases: [string, DesiredRun, Partial<ObservedState> | null, LiveAction | null][] = [
    ["nothing is known", on, null, "installing"],
    ["code is prepared", on, { phase: "installing" }, "installing"],
    ["it runs", on, {}, null],
    ["a restart was asked for", again, {}, "restarting"],
    ["a restart stops it", again, { phase: "stopping" }, "restarting"],
    ["a start was asked for", again, { phase: "ready" }, "starting"],
    ["a start is made", on, { phase: "starting" }, "starting"],
    ["a stop was asked for", off, {}, "stopping"],
    ["a stop is made", off, { phase: "stopping" }, "stopping"],
    ["it is stopped", off, { phase: "ready" }, null],
    ["it comes back after a crash by itself", on, { phase: "waiting", consecutiveCrashes: 1 }, null],
    ["it failed", off, { phase: "failed", errorCode: "start_failed" }, null],
  ];
  for (const [name, desired, observed, expected] of cases)
    assert.equal(liveActionOf(desired, observed && sampleState(observed), null), expected, name);
});

test("a restart stays one until it is done", () => {
  const starting = sampleState({ phase: "starting", restartCount: 2 });
  assert.equal(liveActionOf(again, starting, "restarting"), "restarting");
  assert.equal(liveActionOf(again, sampleState({ restartCount: 2 }), "restarting"), null);
});
