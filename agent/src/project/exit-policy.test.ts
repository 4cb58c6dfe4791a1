import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import type { InstanceExit } from "../runtime/runtime.ts";
import { afterExit } from "./exit-policy.ts";
import { newRecord, type ProjectRecord } from "./record.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";

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
    expect: { phase: "waiting", isCrash: true, consecutiveCrashes: 3, pauseMs: 3_000 },
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
    const after = afterExit(sampleAssignment(assignment), record, ended);
    const { isCrash, pauseMs, ...observed } = expect;
    assert.equal(after.isCrash, isCrash);
    for (const [field, value] of Object.entries(observed))
      assert.equal(after.record.observed[field as keyof typeof observed], value, field);
    if (pauseMs !== undefined) assert.equal((after.record.retryAtMs ?? 0) - at.getTime(), pauseMs);
    if (ended.exit.cause !== "vanished") assert.equal(after.record.observed.lastExit?.code, ended.exit.code);
  });
}
