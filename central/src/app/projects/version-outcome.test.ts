import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObservedState } from "@tijolo/protocol";
import { sampleState } from "../../../../test/support/samples.ts";
import type { VersionOutcome } from "../../store/tables/projects/version.ts";
import { outcomeAfter } from "./version-outcome.ts";

const now = 9;
const error = { code: "start_failed", details: [] } as const;
const begun: VersionOutcome = { finishedAt: null, cameUpAt: null, error: null };
const installed: VersionOutcome = { finishedAt: 1, cameUpAt: null, error: null };
const live: VersionOutcome = { finishedAt: 1, cameUpAt: 2, error: null };
const failed: VersionOutcome = { finishedAt: 1, cameUpAt: null, error };

/** The state of a project whose version 1 serves. */
const state = (change: Partial<ObservedState>) =>
  sampleState({ phase: "running", servingVersion: 1, hasComeUp: false, ...change });
const failure = (errorCode: ObservedState["errorCode"], change: Partial<ObservedState> = {}) =>
  state({ phase: "failed", errorCode, servingVersion: null, ...change });
const failedBy = (code: "install_failed" | "crash_loop" | "process_exited") => ({
  finishedAt: now,
  cameUpAt: null,
  error: { code, details: [] },
});

test("a version is what its host's reports make of it", () => {
  const cases: [name: string, VersionOutcome, ObservedState, VersionOutcome | null][] = [
    ["while it is prepared nothing is known", begun, state({ phase: "installing" }), null],
    ["it starts, and has not come up yet", begun, state({ phase: "starting" }), null],
    ["it runs, and has not come up yet", begun, state({}), null],
    ["it came up", begun, state({ hasComeUp: true }), { finishedAt: now, cameUpAt: now, error: null }],
    [
      "it is installed in a stopped project",
      begun,
      state({ phase: "ready", servingVersion: null }),
      { finishedAt: now, cameUpAt: null, error: null },
    ],
    [
      "what was installed comes up later",
      installed,
      state({ hasComeUp: true }),
      { finishedAt: 1, cameUpAt: now, error: null },
    ],
    ["its install failed", begun, failure("install_failed"), failedBy("install_failed")],
    [
      "its install failed while an earlier one serves",
      begun,
      failure("install_failed", { servingVersion: 1, versionNumber: 2 }),
      failedBy("install_failed"),
    ],
    ["it crashed before it ever came up", installed, failure("crash_loop"), failedBy("crash_loop")],
    ["it ended before it ever came up", begun, failure("process_exited"), failedBy("process_exited")],
    ["it crashed after it had come up once", live, failure("crash_loop"), null],
    ["it did not start again after it had come up once", live, failure("start_failed"), null],
    [
      "it had come up by the time that its crash is heard of",
      begun,
      failure("process_exited", { hasComeUp: true }),
      { finishedAt: now, cameUpAt: now, error: null },
    ],
    ["what failed is heard of again", failed, failure("start_failed", { consecutiveCrashes: 2 }), null],
    ["what failed starts again", failed, state({ phase: "starting" }), null],
    ["what failed was stopped", failed, state({ phase: "ready", servingVersion: null }), null],
    [
      "what failed comes up later",
      failed,
      state({ hasComeUp: true }),
      { finishedAt: now, cameUpAt: now, error: null },
    ],
    [
      "it is installed anew for other settings",
      live,
      state({ phase: "installing" }),
      { finishedAt: null, cameUpAt: 2, error: null },
    ],
    [
      "and that install fails",
      { ...live, finishedAt: null },
      failure("install_failed"),
      { finishedAt: now, cameUpAt: 2, error: { code: "install_failed", details: [] } },
    ],
    [
      "a fault of the service is none of its own",
      installed,
      failure("start_failed", { errorDetails: [{ code: "disk_damaged" }] }),
      null,
    ],
  ];
  for (const [name, before, seen, expected] of cases)
    assert.deepEqual(outcomeAfter(before, seen, now), expected, name);
});
