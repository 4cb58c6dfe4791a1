import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ProjectErrorCode, ProjectStatus } from "../nouns/project.ts";
import {
  actionableOf,
  actionInProgress,
  isSiteSilent,
  isSiteStarting,
  mayHaveRun,
  projectCan,
  statusOf,
} from "./project-state.ts";
import type { ObservedState } from "./observed-state.ts";
import type { Action, ActionableProject, DesiredRun } from "./project-state.ts";

const seen = (phase: ObservedState["phase"], restartCount: number): ObservedState => ({
  phase,
  versionNumber: 1,
  restartCount,
  errorCode: null,
  errorDetails: [],
  consecutiveCrashes: 0,
  lastExit: null,
  startedAt: null,
  configTag: null,
  servingVersion: null,
  hasComeUp: false,
});

test("what every action answers is told at once, as far as is known", () => {
  assert.deepEqual(actionableOf({ status: "error", error: { code: "install_failed" } }), {
    start: "install_pending",
    restart: "install_pending",
    stop: null,
    receiveCode: null,
    changeSettings: null,
  });
  const { start, stop, changeSettings } = actionableOf({ status: "running", error: null }, "stop");
  assert.deepEqual([start, stop, changeSettings], ["project_busy", null, "project_busy"]);
});

test("a stop that overtook a start is done once the host has told that it heard of both", () => {
  const stopped = { run: "off", restartCount: 2, versionNumber: 1 } as const;
  const told = [seen("ready", 1), seen("starting", 2), seen("stopping", 2), seen("ready", 2)];
  assert.deepEqual(
    told.map((observed) => statusOf(stopped, observed)),
    ["restarting", "restarting", "running", "stopped"],
  );
});

test("what had failed before a start has not failed again because a stop overtook the start", () => {
  const failed = { ...seen("failed", 1), errorCode: "crash_loop" } as const;
  const desired = { run: "off", restartCount: 2, versionNumber: 1 } as const;
  assert.equal(statusOf({ ...desired, run: "on" }, failed), "restarting");
  assert.equal(statusOf(desired, failed), "restarting");
  assert.equal(statusOf({ ...desired, restartCount: 1 }, failed), "crash_loop");
});

test("what is up stays up in the status until the host has told of its end", () => {
  const stopped = { run: "off", restartCount: 1, versionNumber: 1 } as const;
  const told = [seen("running", 1), seen("stopping", 1), seen("ready", 1)];
  assert.deepEqual(
    told.map((observed) => statusOf(stopped, observed)),
    ["running", "running", "stopped"],
  );
});

test("what has failed has failed, whether an earlier version serves or not", () => {
  const on = { run: "on", restartCount: 2, versionNumber: 4 } as const;
  for (const servingVersion of [null, 3]) {
    for (const errorCode of ["install_failed", "start_failed"] as const) {
      const observed = { ...seen("failed", 2), versionNumber: 4, errorCode, servingVersion };
      const statuses = [on, { ...on, run: "off" as const }].map((desired) => statusOf(desired, observed));
      assert.deepEqual(statuses, ["error", "error"]);
    }
  }
  const preparing = { ...seen("installing", 2), versionNumber: 4, servingVersion: 3 };
  assert.equal(statusOf(on, preparing), "installing");
  assert.equal(
    statusOf({ ...on, restartCount: 3 }, { ...preparing, phase: "failed", errorCode: "start_failed" }),
    "restarting",
  );
});

suite("an action is in progress", () => {
  const on = (restartCount: number): DesiredRun => ({ run: "on", restartCount, versionNumber: 1 });
  const off = (restartCount: number): DesiredRun => ({ run: "off", restartCount, versionNumber: 1 });
  const failed = (errorCode: ProjectErrorCode, restartCount: number) => ({
    ...seen("failed", restartCount),
    errorCode,
  });
  const serving = (errorCode: ProjectErrorCode, restartCount: number): ObservedState => ({
    ...failed(errorCode, restartCount),
    servingVersion: 0,
  });
  const cases: [string, DesiredRun, ObservedState | null, Action | null][] = [
    ["a stop, until the run has ended", off(1), seen("running", 1), "stop"],
    ["while the program is given its time", off(1), seen("stopping", 1), "stop"],
    ["and no longer", off(1), seen("ready", 1), null],
    ["a stop of what is coming up", off(2), seen("starting", 2), "stop"],
    ["a stop that overtook a start, until the host has heard of both", off(2), seen("ready", 1), "stop"],
    ["also one of what had failed before", off(2), failed("crash_loop", 1), "stop"],
    ["a stop between a crash and the run after it", off(1), seen("waiting", 1), "stop"],
    ["a start, before the host has heard of it", on(2), seen("ready", 1), "start"],
    ["a start after a crash loop", on(2), failed("crash_loop", 1), "start"],
    ["a start, while it is carried out", on(2), seen("starting", 2), "start"],
    ["and no longer than until the run is up", on(2), seen("running", 2), null],
    ["or has failed", off(2), failed("start_failed", 2), null],
    ["or waits after a crash", on(2), seen("waiting", 2), null],
    ["a restart, before the host has heard of it", on(2), seen("running", 1), "start"],
    ["while the run before it ends", on(2), seen("stopping", 1), "start"],
    ["a restart of what the host is bringing back", on(2), seen("waiting", 1), "start"],
    [
      "none: the host waits for a disk to be mended, and what was asked for is still wanted",
      on(2),
      failed("start_failed", 2),
      null,
    ],
    ["none: of a failed install nothing is begun", on(2), failed("install_failed", 1), null],
    ["nor is anything stopped", off(2), failed("install_failed", 1), null],
    [
      "a stop of the earlier version that serves after a failed install",
      off(2),
      serving("install_failed", 2),
      "stop",
    ],
    ["or after one that did not come up", off(2), serving("start_failed", 2), "stop"],
    ["a start that tries that one again", on(3), serving("start_failed", 2), "start"],
    ["none: a failed install is not tried again", on(3), serving("install_failed", 2), null],
    ["none: the earlier version serves", on(2), serving("start_failed", 2), null],
    ["none: code is prepared, which the status tells", on(1), seen("installing", 0), null],
    ["none: new code is on its way", { ...on(2), versionNumber: 2 }, seen("running", 1), null],
    ["none: the host has told nothing yet", on(1), null, null],
  ];
  for (const [title, desired, observed, action] of cases) {
    test(title, () => assert.equal(actionInProgress(desired, observed), action));
  }
});

suite("what a project takes", () => {
  const project = (status: ProjectStatus, action: Action | null = null): ActionableProject => ({
    status,
    action,
    error: null,
  });
  const refusals = (of: ActionableProject) =>
    [
      projectCan.start,
      projectCan.stop,
      projectCan.restart,
      projectCan.receiveCode,
      projectCan.changeSettings,
    ].map((can) => can(of));
  const busy = "project_busy";
  const cases: [string, ActionableProject, ReturnType<typeof refusals>][] = [
    ["while it is created: nothing", project("creating"), [busy, busy, busy, busy, busy]],
    ["while it is installed: nothing", project("installing"), [busy, busy, busy, busy, busy]],
    ["while a stop is in progress: a stop", project("running", "stop"), [busy, null, busy, busy, busy]],
    [
      "while a start is in progress: a start, which changes nothing, and a stop",
      project("restarting", "start"),
      [null, null, busy, busy, busy],
    ],
    ["while it comes back by itself: everything", project("restarting"), [null, null, null, null, null]],
    ["at rest: everything", project("stopped"), [null, null, null, null, null]],
    [
      "after a start that failed, also while an earlier version serves: everything",
      { ...project("error"), error: { code: "start_failed" } },
      [null, null, null, null, null],
    ],
    [
      "while the earlier version is stopped: a stop",
      { ...project("error", "stop"), error: { code: "install_failed" } },
      [busy, null, busy, busy, busy],
    ],
    [
      "after a failed install: no start",
      { ...project("error"), error: { code: "install_failed" } },
      ["install_pending", null, "install_pending", null, null],
    ],
  ];
  for (const [title, of, expected] of cases) test(title, () => assert.deepEqual(refusals(of), expected));
});

suite("visitors are sent to the host", () => {
  const on = { run: "on", restartCount: 1, versionNumber: 1 } as const;
  const off = { ...on, run: "off" } as const;
  const serving = (phase: ObservedState["phase"]) => ({ ...seen(phase, 1), servingVersion: 1 });
  const cases: [string, DesiredRun, ObservedState | null, boolean][] = [
    ["of what runs", on, seen("running", 1), true],
    ["of what is restarted", { ...on, restartCount: 2 }, seen("running", 1), true],
    ["of what comes back after a crash", on, seen("waiting", 1), true],
    ["while new code is on its way", { ...on, versionNumber: 2 }, seen("running", 1), true],
    ["while new code is prepared", on, seen("installing", 1), true],
    ["while the earlier version serves after new code has failed", on, serving("failed"), true],
    ["but not of what has failed", on, { ...seen("failed", 1), errorCode: "crash_loop" }, false],
    ["nor of what is stopped", off, seen("ready", 1), false],
    ["nor of code that is prepared for later", off, seen("installing", 1), false],
    ["nor of what no host knows of yet", on, null, false],
  ];
  for (const [title, desired, observed, expected] of cases)
    test(title, () => assert.equal(mayHaveRun(desired, observed), expected));
});

test("a site is starting in the first minute of its run, until it listens", () => {
  const startedAt = "2026-01-01T12:00:00.000Z";
  const atMs = (seconds: number) => Date.parse(startedAt) + seconds * 1_000;
  const observed = { ...seen("running", 1), startedAt };
  const settings = { port: 8080, language: "node" } as const;
  const site = { run: "on", restartCount: 1, versionNumber: 1, observed, settings } as const;
  assert.equal(isSiteStarting(site, atMs(0)), true);
  assert.equal(isSiteStarting(site, atMs(59)), true);
  assert.equal(isSiteStarting(site, atMs(60)), false);
  assert.equal(isSiteSilent(site), true, "however long");
  assert.equal(isSiteSilent({ ...site, observed: { ...observed, hasComeUp: true } }), false);
  assert.equal(isSiteStarting({ ...site, observed: { ...observed, hasComeUp: true } }, atMs(1)), false);
  assert.equal(isSiteStarting({ ...site, observed: { ...observed, phase: "waiting" } }, atMs(1)), false);
  assert.equal(isSiteStarting({ ...site, observed: null }, atMs(1)), false);
  assert.equal(isSiteStarting({ ...site, restartCount: 2 }, atMs(1)), false, "it is restarting");
  assert.equal(isSiteStarting({ ...site, settings: { ...settings, port: null } }, atMs(1)), false, "a bot");
  assert.equal(isSiteStarting({ ...site, settings: { ...settings, language: "static" } }, atMs(1)), false);
});
