import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAssignment, sampleState } from "../../test/support/samples.ts";
import type { Assignment, ObservedState } from "@tijolo/protocol";
import { setAside } from "./project/leaving-run.ts";
import { newRecord, type ProjectRecord } from "./project/record.ts";
import type { Instance } from "./runtime/runtime.ts";
import { findSiteTarget, type SitePlaces } from "./site-target.ts";

const nowMs = Date.parse("2026-01-01T12:00:00.000Z");
const { settings } = sampleAssignment();
const site = { ...settings, type: "site" as const, port: 8080 };
const startedWith = { language: "node", root: null, port: 8080, memoryMb: 256 };
const run: Instance = {
  projectId: "site",
  runNumber: 3,
  versionNumber: 1,
  startedAt: new Date(nowMs - 90_000),
  exit: null,
};
const ended = {
  ...run,
  exit: { code: 1, isOutOfMemory: false, at: new Date(nowMs), cause: "exited" as const },
};
const installed = { versionNumber: 1, key: "" };

interface Case {
  title: string;
  phase: ObservedState["phase"];
  /** Version of the record's state. Default: 1, as what is installed. */
  versionNumber?: number;
  record?: Partial<ProjectRecord>;
  instance?: Instance;
  assignment?: Partial<Assignment>;
  isClosed?: boolean;
  expected: "process" | "static" | "soon" | "ending" | undefined;
}

const files = { startedWith: { ...startedWith, language: "static", root: "public", port: null } };
const none = { installed: null };
const cases: Case[] = [
  { title: "a run that is up", phase: "running", instance: run, expected: "process" },
  {
    title: "a run that is closed before its stop",
    phase: "running",
    instance: run,
    isClosed: true,
    expected: "ending",
  },
  {
    title: "a run that is drained before its stop",
    phase: "stopping",
    instance: run,
    isClosed: true,
    expected: "ending",
  },
  {
    title: "a run that has not answered for its health path yet",
    phase: "running",
    instance: run,
    assignment: { health: { path: "/health", host: "shop.example.com" } },
    expected: "soon",
  },
  {
    title: "the earlier run while new code installs",
    phase: "installing",
    versionNumber: 2,
    record: none,
    instance: run,
    expected: "process",
  },
  { title: "a run that is up after its agent's death", phase: "waiting", instance: run, expected: "process" },
  { title: "a run that is being stopped for another", phase: "stopping", instance: run, expected: "soon" },
  {
    title: "a run that is being stopped for good",
    phase: "stopping",
    instance: run,
    assignment: { run: "off" },
    expected: undefined,
  },
  { title: "between two runs of new code", phase: "installing", expected: "soon" },
  { title: "a first install", phase: "installing", record: none, expected: undefined },
  { title: "a first archive on its way", phase: "extracting", record: none, expected: undefined },
  { title: "a start", phase: "starting", expected: "soon" },
  { title: "a crash that is not recorded yet", phase: "running", instance: ended, expected: "soon" },
  {
    title: "a restart after a crash",
    phase: "waiting",
    record: { retryAtMs: nowMs + 3_000 },
    expected: "soon",
  },
  {
    title: "a restart after a crash that is far off",
    phase: "waiting",
    record: { retryAtMs: nowMs + 45_000 },
    expected: undefined,
  },
  { title: "a site that is stopped", phase: "ready", expected: undefined },
  {
    title: "a site that is to be started",
    phase: "ready",
    assignment: { restartCount: 2 },
    expected: "soon",
  },
  { title: "a site that has failed", phase: "failed", expected: undefined },
  {
    title: "a failed site that is started again",
    phase: "failed",
    assignment: { restartCount: 2 },
    expected: "soon",
  },
  {
    title: "a failed install, whatever is asked for",
    phase: "failed",
    record: none,
    assignment: { restartCount: 2 },
    expected: undefined,
  },
  { title: "files that are served", phase: "running", record: files, expected: "static" },
  { title: "files that are replaced", phase: "stopping", record: files, expected: "soon" },
  { title: "files whose site is stopped", phase: "ready", record: files, expected: undefined },
];

const places: SitePlaces = {
  dataDirectory: "/data",
  machine: {
    network: {
      find: () => ({ address: "10.0.0.2", namespacePath: "", resolvConf: "" }),
      findLeaving: () => ({ address: "10.0.0.3", namespacePath: "", resolvConf: "" }),
    },
  },
  visits: { isClosed: () => false },
  clock: { now: () => nowMs },
};

function targetOf({ phase, versionNumber = 1, record, instance, assignment, isClosed = false }: Case) {
  return findSiteTarget(
    {
      projectId: "site",
      assignment: sampleAssignment({ settings: site, ...assignment }),
      record: {
        ...newRecord,
        installed,
        startedWith,
        ...record,
        observed: sampleState({ phase, versionNumber, restartCount: 1 }),
      },
      instance,
      leaving: undefined,
    },
    { ...places, visits: { isClosed: () => isClosed } },
  );
}

for (const each of cases)
  test(`${each.title}: ${each.expected ?? "nothing"}`, () => {
    const target = targetOf(each);
    assert.equal(target?.kind === "soon" && target.isEnding ? "ending" : target?.kind, each.expected);
  });

test("a program is reached at the port that its run was started with", () => {
  const [up] = cases;
  assert.ok(up !== undefined);
  const target = targetOf({ ...up, assignment: { settings: { ...site, port: 9000 } } });
  assert.deepEqual(target, {
    kind: "process",
    address: "10.0.0.2",
    port: 8080,
    runNumber: 3,
    isStarting: false,
  });
  const young = { ...run, startedAt: new Date(nowMs - 59_000) };
  assert.deepEqual(targetOf({ ...up, instance: young }), { ...target, isStarting: true });
});

test("files are those of the version that runs, below its folder", () => {
  const served = cases.find(({ expected }) => expected === "static");
  assert.ok(served !== undefined);
  assert.deepEqual(targetOf(served), {
    kind: "static",
    directory: "/data/projects/site/versions/1/code/public",
    compressed: "/data/projects/site/versions/1/compressed",
    isSpa: false,
  });
  const built = { ...files, installed: { ...installed, isBuilt: true } };
  assert.deepEqual(targetOf({ ...served, record: built }), {
    kind: "static",
    directory: "/data/projects/site/versions/1/site",
    compressed: "/data/projects/site/versions/1/compressed",
    isSpa: false,
  });
  const whole = { startedWith: { ...files.startedWith, root: "" } };
  assert.deepEqual(targetOf({ ...served, record: whole }), {
    kind: "static",
    directory: "/data/projects/site/versions/1/code",
    compressed: "/data/projects/site/versions/1/compressed",
    hidden: "svc.json",
    isSpa: false,
  });
});

test("a project that this host knows no desired state of has no visitors", () => {
  assert.equal(
    findSiteTarget(
      { projectId: "site", assignment: undefined, record: newRecord, instance: run, leaving: undefined },
      places,
    ),
    undefined,
  );
});

test("the run that leaves answers until the next one has come up, which answers then", () => {
  const leaving: Instance = { ...run, runNumber: 2 };
  const assignment = sampleAssignment({ settings: { ...site, port: 9090 } });
  const reached = (hasComeUp: boolean) => {
    const observed = sampleState({ phase: "running", versionNumber: 1, restartCount: 1, hasComeUp });
    const left = setAside({ ...newRecord, installed, startedWith }, leaving, nowMs).leaving;
    const record = {
      ...newRecord,
      installed,
      startedWith: { ...startedWith, port: 9090 },
      leaving: left,
      observed,
    };
    const target = findSiteTarget({ projectId: "site", assignment, record, instance: run, leaving }, places);
    return target?.kind === "process" ? [target.address, target.port, target.runNumber] : target?.kind;
  };
  assert.deepEqual(reached(false), ["10.0.0.3", 8080, 2]);
  assert.deepEqual(reached(true), ["10.0.0.2", 9090, 3]);
});
