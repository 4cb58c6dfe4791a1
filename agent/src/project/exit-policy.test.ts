import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import type { InstanceExit } from "../runtime/runtime.ts";
import { afterExit, restartPausesMs } from "./exit-policy.ts";
import { newRecord, type Deployed, type ProjectRecord } from "./record.ts";
import { reportedState } from "./reported-state.ts";
import { sampleAssignment, sampleSettings } from "../../../test/support/samples.ts";

const noJitter = { pausesMs: restartPausesMs, random: () => 0 };
const startedAt = new Date("2026-01-01T00:00:00.000Z");

interface Case {
  name: string;
  assignment?: Partial<Assignment>;
  before?: Partial<ProjectRecord["observed"]>;
  exit: Partial<InstanceExit>;
  ranMs: number;
  expect: Partial<ProjectRecord["observed"]> & { isCrash: boolean; pauseMs?: number };
}

const cases: Case[] = [
  {
    name: "exit 0 ends as stopped",
    exit: { code: 0 },
    ranMs: 5_000,
    expect: { phase: "ready", isCrash: false, consecutiveCrashes: 0 },
  },
  {
    name: "the first crash on a paid plan restarts at once",
    exit: { code: 1 },
    ranMs: 5_000,
    expect: { phase: "waiting", isCrash: true, consecutiveCrashes: 1, pauseMs: 0 },
  },
  {
    name: "the third crash waits",
    before: { consecutiveCrashes: 2 },
    exit: { code: 1 },
    ranMs: 5_000,
    expect: { phase: "waiting", isCrash: true, consecutiveCrashes: 3, pauseMs: 45_000 },
  },
  {
    name: "the fifth crash in a row is a crash loop",
    before: { consecutiveCrashes: 4 },
    exit: { code: 1 },
    ranMs: 5_000,
    expect: { phase: "failed", errorCode: "crash_loop", isCrash: true, consecutiveCrashes: 5 },
  },
  {
    name: "60 seconds up forgive earlier crashes",
    before: { consecutiveCrashes: 4 },
    exit: { code: 1 },
    ranMs: 60_000,
    expect: { phase: "waiting", isCrash: true, consecutiveCrashes: 1, pauseMs: 0 },
  },
  {
    name: "59.999 seconds do not",
    before: { consecutiveCrashes: 4 },
    exit: { code: 1 },
    ranMs: 59_999,
    expect: { phase: "failed", errorCode: "crash_loop", isCrash: true, consecutiveCrashes: 5 },
  },
  {
    name: "a crash on Free is final",
    assignment: { hasAutoRestart: false },
    exit: { code: 3 },
    ranMs: 5_000,
    expect: { phase: "failed", errorCode: "process_exited", isCrash: true, consecutiveCrashes: 1 },
  },
  {
    name: "killed for memory is a crash even with code 0",
    exit: { code: 0, isOutOfMemory: true },
    ranMs: 5_000,
    expect: { phase: "waiting", isCrash: true, consecutiveCrashes: 1 },
  },
  {
    name: "a stop by a person is no crash",
    assignment: { run: "off" },
    before: { phase: "stopping" },
    exit: { code: 143 },
    ranMs: 5_000,
    expect: { phase: "ready", isCrash: false, consecutiveCrashes: 0 },
  },
  {
    name: "a stop for a restart goes on to the start",
    before: { phase: "stopping" },
    exit: { code: 143 },
    ranMs: 5_000,
    expect: { phase: "stopping", isCrash: false },
  },
  {
    name: "a command that does not exist did not come up",
    exit: { code: 127 },
    ranMs: 50,
    expect: { phase: "failed", errorCode: "start_failed", isCrash: true },
  },
  {
    name: "code 127 after a long run is a crash",
    exit: { code: 127 },
    ranMs: 20_000,
    expect: { phase: "waiting", isCrash: true },
  },
  {
    name: "a host that was restarted under it is no crash",
    before: { consecutiveCrashes: 2 },
    exit: { code: 137, cause: "vanished" },
    ranMs: 5_000,
    expect: { phase: "waiting", isCrash: false, consecutiveCrashes: 2, pauseMs: 0 },
  },
  {
    name: "the old version's end while new code is prepared decides nothing",
    before: { phase: "installing", versionNumber: 2 },
    exit: { code: 1 },
    ranMs: 5_000,
    expect: { phase: "installing", isCrash: false },
  },
];

for (const { name, assignment, before, exit, ranMs, expect } of cases) {
  test(name, () => {
    const record: ProjectRecord = {
      ...newRecord,
      runNumber: 1,
      observed: {
        ...newRecord.observed,
        phase: "running",
        versionNumber: 1,
        restartCount: 1,
        startedAt: startedAt.toISOString(),
        ...before,
      },
    };
    const at = new Date(startedAt.getTime() + ranMs);
    const ended = {
      projectId: "p",
      runNumber: 1,
      versionNumber: 1,
      startedAt,
      exit: { code: 0, isOutOfMemory: false, cause: "exited" as const, at, ...exit },
    };
    const after = afterExit(sampleAssignment(assignment), record, ended, noJitter);
    const { isCrash, pauseMs, ...observed } = expect;
    assert.equal(after.isCrash, isCrash);
    for (const [field, value] of Object.entries(observed))
      assert.equal(after.record.observed[field as keyof typeof observed], value, field);
    if (pauseMs !== undefined) assert.equal((after.record.retryAtMs ?? 0) - at.getTime(), pauseMs);
    if (ended.exit.cause !== "vanished") assert.equal(after.record.observed.lastExit?.code, ended.exit.code);
  });
}

test("five crashes in a row take at least three minutes, and chance only makes them longer", () => {
  const pauseAfter = (crashesBefore: number, random: number): number => {
    const observed = { ...newRecord.observed, versionNumber: 1, consecutiveCrashes: crashesBefore };
    const exit = { code: 1, isOutOfMemory: false, cause: "exited" as const, at: startedAt };
    const ended = { projectId: "p", runNumber: 1, versionNumber: 1, startedAt, exit };
    const pauses = { pausesMs: restartPausesMs, random: () => random };
    const { record } = afterExit(sampleAssignment(), { ...newRecord, observed }, ended, pauses);
    return (record.retryAtMs ?? NaN) - startedAt.getTime();
  };
  const sum = (random: number) =>
    [0, 1, 2, 3].map((crashes) => pauseAfter(crashes, random)).reduce((total, each) => total + each, 0);
  assert.equal(pauseAfter(0, 0.99), 0, "the first comes back at once");
  assert.equal(sum(0), 180_000);
  assert.ok(sum(0.99) > 180_000 && sum(0.99) < 240_000);
});

const earlier: Deployed = {
  installed: { versionNumber: 1, key: "key 1", directory: 1 },
  settings: sampleSettings({ command: "node one.js" }),
  configTag: "tag 1",
  imageLayers: ["/image-1"],
};

interface Trial {
  name: string;
  settings?: Partial<Assignment["settings"]>;
  before?: Partial<ProjectRecord>;
  exit: Partial<InstanceExit>;
  ranMs?: number;
  expect: "taken back" | "goes on" | "ended";
}

const site = { type: "site", port: 8080 } as const;
const trials: Trial[] = [
  { name: "a new bot that crashes in its first seconds", exit: { code: 1 }, expect: "taken back" },
  { name: "one whose command does not exist", exit: { code: 127 }, expect: "taken back" },
  { name: "one that takes too much memory", exit: { code: 137, isOutOfMemory: true }, expect: "taken back" },
  { name: "one that has done its work at once", exit: { code: 0 }, expect: "ended" },
  { name: "one that ran for 5 seconds", exit: { code: 1 }, ranMs: 5_000, expect: "goes on" },
  { name: "one that had come up", before: { hasProven: true }, exit: { code: 1 }, expect: "goes on" },
  {
    name: "one without a version before it",
    before: { earlier: null },
    exit: { code: 1 },
    expect: "goes on",
  },
  { name: "one that is to stay", settings: { onFailure: "keep" }, exit: { code: 1 }, expect: "goes on" },
  {
    name: "a new site that crashes before it listens",
    settings: site,
    exit: { code: 1 },
    ranMs: 50_000,
    expect: "taken back",
  },
  { name: "one that ends well before it listens", settings: site, exit: { code: 0 }, expect: "taken back" },
  {
    name: "one that had listened",
    settings: site,
    before: { hasProven: true },
    exit: { code: 0 },
    expect: "ended",
  },
  { name: "one whose host was restarted", exit: { code: 137, cause: "vanished" }, expect: "goes on" },
];

for (const { name, settings, before, exit, ranMs = 400, expect } of trials) {
  test(`an update: ${name} (${expect})`, () => {
    const own = sampleSettings(settings);
    const assignment = sampleAssignment({ versionNumber: 2, settings: own });
    const record: ProjectRecord = {
      ...newRecord,
      installed: { versionNumber: 2, key: "key 2" },
      settings: own,
      earlier,
      ...before,
      observed: { ...newRecord.observed, phase: "running", versionNumber: 2, restartCount: 4 },
    };
    const at = new Date(startedAt.getTime() + ranMs);
    const whole = { code: 0, isOutOfMemory: false, cause: "exited" as const, at, ...exit };
    const ended = { projectId: "p", runNumber: 1, versionNumber: 2, startedAt, exit: whole };
    const after = afterExit(assignment, record, ended, noJitter);
    const told = reportedState(after.record);
    assert.equal(told.versionNumber, 2);
    if (expect === "ended") return assert.equal(told.phase, "ready");
    if (expect === "goes on") return assert.deepEqual([told.phase, told.servingVersion], ["waiting", 2]);
    assert.deepEqual(
      [told.phase, told.errorCode, told.servingVersion, told.restartCount, told.hasComeUp],
      ["failed", "start_failed", 1, 4, false],
    );
    assert.deepEqual(told.errorDetails.at(-1), { code: "earlier_version_is_back", version: 1 });
    const { installed, settings: next, observed, retryAtMs } = after.record;
    assert.deepEqual([installed, next], [earlier.installed, earlier.settings], "with its own settings");
    assert.deepEqual([observed.phase, observed.versionNumber, retryAtMs], ["waiting", 1, at.getTime()]);
    assert.deepEqual(after.record.next?.deployed?.settings, own, "a start tries it again");
  });
}
