import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assignment, DepartureReason } from "@tijolo/protocol";
import type { Instance } from "../runtime/runtime.ts";
import { installKey } from "./steps/install-key.ts";
import { movedKeptMs, plan } from "./plan.ts";
import type { PortSeen } from "../diagnosis/port-watch.ts";
import { newRecord, type Deployed, type NextVersion, type ProjectRecord } from "./record.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";

const nowMs = Date.parse("2026-01-01T01:00:00.000Z");
const installed = { versionNumber: 1, key: installKey(sampleAssignment()) };
const running: Instance = {
  projectId: "p",
  runNumber: 1,
  versionNumber: 1,
  startedAt: new Date(nowMs - 1_000),
  exit: null,
};
const deaf: PortSeen = { code: "site_without_port", port: 8080, language: "node" };
const ended: Instance = {
  ...running,
  exit: { code: 1, isOutOfMemory: false, at: new Date(nowMs), cause: "exited" },
};

interface Case {
  name: string;
  assignment?: Partial<Assignment> | null;
  departure?: DepartureReason;
  /** For how long it has been known. */
  departedMs?: number;
  record?: Partial<ProjectRecord>;
  observed?: Partial<ProjectRecord["observed"]>;
  instance?: Instance;
  port?: PortSeen;
  hasFailed?: boolean;
  expect: string;
}

/** Returns a next version whose install has failed. */
function failedInstall(versionNumber: number): NextVersion {
  return { ...preparing(versionNumber), phase: "failed", errorCode: "install_failed" };
}

function preparing(versionNumber: number): NextVersion {
  return {
    versionNumber,
    phase: "installing",
    restartCount: 2,
    errorCode: null,
    errorDetails: [],
    deployed: null,
  };
}

/** Returns a next version that is installed. */
function prepared(versionNumber: number): NextVersion {
  const { settings, configTag } = sampleAssignment();
  const deployed = { installed: { versionNumber, key: "" }, settings, configTag, imageLayers: [] };
  return { ...preparing(versionNumber), deployed };
}

/** Returns a next version that did not come up. */
function failedStart(versionNumber: number): NextVersion {
  return { ...prepared(versionNumber), phase: "failed", errorCode: "start_failed" };
}

const two = { versionNumber: 2, restartCount: 2 };
const isUp = { phase: "running", startedAt: new Date(nowMs - 1_000).toISOString(), hasComeUp: true } as const;
const siteSettings = { ...sampleAssignment().settings, type: "site", port: 8080 } as const;
const before: Deployed = {
  installed: { versionNumber: 0, key: "" },
  settings: siteSettings,
  configTag: "tag 0",
  imageLayers: [],
};
/** A new version of a site that was started so many milliseconds ago. */
const newSite = (agoMs: number) => ({
  record: { settings: siteSettings, earlier: before },
  observed: { phase: "running", startedAt: new Date(nowMs - agoMs).toISOString() } as const,
  instance: running,
});

/** Returns the cases of a version beside the one that runs. */
function updates(): Case[] {
  return [
    {
      name: "the earlier version runs on when an install fails",
      assignment: two,
      record: { next: failedInstall(2) },
      observed: isUp,
      instance: running,
      expect: "idle",
    },
    {
      name: "it comes back after a crash",
      assignment: two,
      record: { next: failedInstall(2), retryAtMs: nowMs },
      observed: { phase: "waiting", consecutiveCrashes: 1 },
      expect: "start",
    },
    {
      name: "also when the agent or the host went down meanwhile",
      assignment: two,
      record: { next: failedInstall(2) },
      observed: isUp,
      expect: "start",
    },
    {
      name: "its crash loop is its end",
      assignment: two,
      record: { next: failedInstall(2) },
      observed: { phase: "failed", errorCode: "crash_loop" },
      expect: "idle",
    },
    {
      name: "it is stopped when nothing is to run",
      assignment: { ...two, run: "off" },
      record: { next: failedInstall(2) },
      observed: isUp,
      instance: running,
      expect: "stop",
    },
    {
      name: "and stays down",
      assignment: { ...two, run: "off" },
      record: { next: failedInstall(2) },
      observed: { phase: "ready" },
      expect: "idle",
    },
    {
      name: "a restart does not try a failed install again",
      assignment: { ...two, restartCount: 3 },
      record: { next: failedInstall(2) },
      observed: isUp,
      instance: running,
      expect: "idle",
    },
    {
      name: "newer code is installed beside it",
      assignment: { versionNumber: 3, restartCount: 3 },
      record: { next: failedInstall(2) },
      observed: isUp,
      instance: running,
      expect: "install",
    },
    {
      name: "an install goes on after the agent's end",
      assignment: two,
      record: { next: preparing(2) },
      observed: isUp,
      instance: running,
      expect: "install",
    },
    {
      name: "what ran comes back before an install that the host's end cut short",
      assignment: two,
      record: { next: preparing(2), retryAtMs: nowMs },
      observed: { phase: "waiting" },
      expect: "start",
    },
    {
      name: "an install does not wait for a pause after a crash",
      assignment: two,
      record: { next: preparing(2), retryAtMs: nowMs + 1 },
      observed: { phase: "waiting", consecutiveCrashes: 2 },
      expect: "install",
    },
    {
      name: "nor for a start that a fault of the host prevents",
      assignment: two,
      record: { next: preparing(2), retryAtMs: nowMs },
      observed: { phase: "waiting" },
      hasFailed: true,
      expect: "install",
    },
    {
      name: "an installed version waits until the earlier one has ended",
      assignment: two,
      record: { next: prepared(2) },
      observed: isUp,
      instance: running,
      expect: "stop",
    },
    {
      name: "and then takes over",
      assignment: two,
      record: { next: prepared(2) },
      observed: { phase: "stopping" },
      expect: "take-over",
    },
    {
      name: "also when it is not to run",
      assignment: { ...two, run: "off" },
      record: { next: prepared(2) },
      observed: { phase: "ready" },
      expect: "take-over",
    },
    {
      name: "what was prepared is forgotten when what runs is wanted again",
      record: { next: failedInstall(2) },
      observed: isUp,
      instance: running,
      expect: "forget-next",
    },
    {
      name: "what did not come up rests",
      assignment: two,
      record: { next: failedStart(2) },
      observed: isUp,
      instance: running,
      expect: "idle",
    },
    {
      name: "until it is asked for again: then the earlier version ends",
      assignment: { ...two, restartCount: 3 },
      record: { next: failedStart(2) },
      observed: isUp,
      instance: running,
      expect: "stop",
    },
    {
      name: "and it takes over",
      assignment: { ...two, restartCount: 3 },
      record: { next: failedStart(2) },
      observed: { phase: "stopping" },
      expect: "take-over",
    },
    {
      name: "without its files, for lack of room, it is installed again",
      assignment: { ...two, restartCount: 3 },
      record: { next: { ...failedStart(2), deployed: null } },
      observed: isUp,
      instance: running,
      expect: "install",
    },
    {
      name: "a run that was given up ends before the earlier version starts",
      assignment: two,
      record: { next: failedStart(2) },
      observed: { phase: "waiting" },
      instance: { ...running, versionNumber: 2 },
      expect: "stop",
    },
    {
      name: "a bot has come up after 5 seconds",
      observed: { phase: "running", startedAt: new Date(nowMs - 5_000).toISOString() },
      instance: running,
      expect: "come-up",
    },
    {
      name: "also when newer code is to take its place",
      assignment: two,
      record: { next: prepared(2) },
      observed: { phase: "running", startedAt: new Date(nowMs - 5_000).toISOString() },
      instance: running,
      expect: "come-up",
    },
    {
      name: "and not before",
      observed: { phase: "running", startedAt: new Date(nowMs - 4_999).toISOString() },
      instance: running,
      expect: "idle",
    },
    { name: "a site has come up once it listens", ...newSite(10), port: "reachable", expect: "come-up" },
    { name: "not before somebody looked", ...newSite(120_000), expect: "idle" },
    { name: "a new site that does not listen has a minute", ...newSite(59_999), port: deaf, expect: "idle" },
    { name: "and is taken back then", ...newSite(60_000), port: deaf, expect: "take-back" },
    {
      name: "a site without a version before it goes on",
      ...newSite(120_000),
      record: { settings: siteSettings },
      port: deaf,
      expect: "idle",
    },
    {
      name: "so does one that is to stay",
      ...newSite(120_000),
      record: { settings: { ...siteSettings, onFailure: "keep" }, earlier: before },
      port: deaf,
      expect: "idle",
    },
  ];
}

const cases: Case[] = [
  {
    name: "a new project is installed",
    record: { installed: null },
    observed: { phase: "extracting", versionNumber: 0, restartCount: 0 },
    expect: "install",
  },
  {
    name: "an installed project that nobody started settles",
    assignment: { run: "off", restartCount: 0 },
    observed: { phase: "installing", restartCount: 0 },
    expect: "settle",
  },
  {
    name: "a settled project rests",
    assignment: { run: "off" },
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "a start that a stop overtook is told as over",
    assignment: { run: "off", restartCount: 2 },
    observed: { phase: "ready" },
    expect: "settle",
  },
  {
    name: "also when an error came before it",
    assignment: { run: "off", restartCount: 2 },
    observed: { phase: "failed", errorCode: "crash_loop" },
    expect: "settle",
  },
  {
    name: "but a failed install stays what it is",
    assignment: { run: "off", restartCount: 2 },
    record: { installed: null, next: failedInstall(1) },
    observed: { phase: "ready", versionNumber: 0 },
    expect: "idle",
  },
  {
    name: "an installed project that should run is started",
    assignment: { restartCount: 2 },
    observed: { phase: "ready" },
    expect: "start",
  },
  {
    name: "a project that ended for good rests until it is asked for again",
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "a crash loop rests until it is asked for again",
    observed: { phase: "failed", errorCode: "crash_loop" },
    expect: "idle",
  },
  {
    name: "a crash loop that is asked for again starts",
    assignment: { restartCount: 2 },
    observed: { phase: "failed", errorCode: "crash_loop" },
    expect: "start",
  },
  {
    name: "a start that a damaged disk prevents is tried again when it is time",
    record: { damagedStarts: 1, retryAtMs: nowMs },
    observed: { phase: "failed", errorCode: "start_failed" },
    expect: "start",
  },
  {
    name: "and not before",
    record: { damagedStarts: 1, retryAtMs: nowMs + 1 },
    observed: { phase: "failed", errorCode: "start_failed" },
    expect: "idle",
  },
  {
    name: "nor when nobody wants it to run any more",
    assignment: { run: "off" },
    record: { damagedStarts: 1, retryAtMs: nowMs },
    observed: { phase: "failed", errorCode: "start_failed" },
    expect: "idle",
  },
  {
    name: "a failed install is final for its version",
    record: { installed: null, next: failedInstall(1) },
    observed: { phase: "ready", versionNumber: 0 },
    expect: "idle",
  },
  {
    name: "a failed install gives way to new code",
    assignment: { versionNumber: 2 },
    record: { installed: null, next: failedInstall(1) },
    observed: { phase: "ready", versionNumber: 0 },
    expect: "install",
  },
  ...updates(),
  {
    name: "a running project keeps running",
    observed: { phase: "running" },
    instance: running,
    expect: "idle",
  },
  {
    name: "a running project is stopped when it should not run",
    assignment: { run: "off" },
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
  {
    name: "a restart begins with a stop",
    assignment: { restartCount: 2 },
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
  {
    name: "a restart ends with a start",
    assignment: { restartCount: 2 },
    observed: { phase: "stopping" },
    expect: "start",
  },
  {
    name: "new code is installed while the old version runs",
    assignment: { versionNumber: 2, restartCount: 2 },
    observed: { phase: "running" },
    instance: running,
    expect: "install",
  },
  {
    name: "an instance that a killed agent had started is taken over",
    observed: { phase: "starting" },
    instance: running,
    expect: "adopt",
  },
  {
    name: "an exit comes before all else",
    assignment: { run: "off" },
    observed: { phase: "running" },
    instance: ended,
    expect: "record-exit",
  },
  {
    name: "a project that vanished with its host comes back",
    observed: { phase: "running" },
    expect: "start",
  },
  {
    name: "a crashed project waits for its time",
    record: { retryAtMs: nowMs + 1 },
    observed: { phase: "waiting" },
    expect: "idle",
  },
  {
    name: "a crashed project comes back when it is time",
    record: { retryAtMs: nowMs },
    observed: { phase: "waiting" },
    expect: "start",
  },
  {
    name: "a stop ends the waiting",
    assignment: { run: "off" },
    record: { retryAtMs: nowMs + 1 },
    observed: { phase: "waiting" },
    expect: "settle",
  },
  {
    name: "a minute up forgives crashes",
    observed: { phase: "running", consecutiveCrashes: 2, startedAt: new Date(nowMs - 60_000).toISOString() },
    instance: running,
    expect: "forgive-crashes",
  },
  {
    name: "changed settings that decide the install are installed at the next start",
    assignment: { restartCount: 2, settings: { ...sampleAssignment().settings, version: "22" } },
    observed: { phase: "ready" },
    expect: "install",
  },
  {
    name: "and no sooner",
    assignment: { run: "off", settings: { ...sampleAssignment().settings, version: "22" } },
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "nothing is installed before the variables are known",
    assignment: { variables: null },
    record: { installed: null },
    expect: "idle",
  },
  {
    name: "nothing is started either",
    assignment: { variables: null, restartCount: 2 },
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "what runs is not stopped for a restart that could not be",
    assignment: { variables: null, restartCount: 2 },
    observed: { phase: "running" },
    instance: running,
    expect: "idle",
  },
  {
    name: "but it is stopped when it should not run",
    assignment: { variables: null, run: "off" },
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
  {
    name: "a static site that is to be a program runs on as it is",
    record: { startedWith: { language: "static", root: "", port: null, memoryMb: 64 } },
    observed: { phase: "running" },
    expect: "idle",
  },
  {
    name: "until its next start",
    assignment: { restartCount: 2 },
    record: { startedWith: { language: "static", root: "", port: null, memoryMb: 64 } },
    observed: { phase: "running" },
    expect: "stop",
  },
  {
    name: "a project that was deleted is removed",
    departure: "deleted",
    observed: { phase: "running" },
    instance: running,
    expect: "remove",
  },
  {
    name: "also one of which no assignment is known",
    assignment: null,
    departure: "deleted",
    instance: running,
    expect: "remove",
  },
  {
    name: "one of which no assignment is known stays as it is: a ledger, or central's database, may have been lost",
    assignment: null,
    observed: { phase: "running" },
    instance: running,
    expect: "idle",
  },
  { name: "also when it has ended meanwhile", assignment: null, instance: ended, expect: "idle" },
  {
    name: "one that moved is stopped",
    departure: "moved",
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
  {
    name: "also without an assignment",
    assignment: null,
    departure: "moved",
    instance: running,
    expect: "stop",
  },
  { name: "and kept", departure: "moved", observed: { phase: "ready" }, expect: "idle" },
  {
    name: "for a day",
    departure: "moved",
    departedMs: movedKeptMs,
    observed: { phase: "ready" },
    expect: "remove",
  },
  {
    name: "it is not started again",
    departure: "moved",
    assignment: { restartCount: 2 },
    observed: { phase: "ready", restartCount: 2 },
    expect: "idle",
  },
  {
    name: "nor installed",
    departure: "moved",
    assignment: { versionNumber: 2 },
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "one that central has elsewhere is stopped",
    departure: "elsewhere",
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
  {
    name: "and kept until an operator decides",
    departure: "elsewhere",
    departedMs: 400 * movedKeptMs,
    observed: { phase: "ready" },
    expect: "idle",
  },
  {
    name: "a run of the wanted version, of which nothing is known to be installed, ends before its files are made anew",
    record: { installed: null },
    observed: { phase: "running" },
    instance: running,
    expect: "stop",
  },
];

for (const each of cases) {
  const { name, assignment, departure, departedMs = 0, record, observed, instance, expect } = each;
  test(name, () => {
    const step = plan({
      assignment: assignment === null ? undefined : sampleAssignment(assignment),
      departure: departure && { reason: departure, atMs: nowMs - departedMs },
      record: {
        ...newRecord,
        runNumber: 1,
        installed,
        ...record,
        observed: { ...newRecord.observed, versionNumber: 1, restartCount: 1, ...observed },
      },
      instance,
      port: each.port,
      hasFailed: each.hasFailed ?? false,
      nowMs,
    });
    assert.equal(step.kind, expect);
  });
}
