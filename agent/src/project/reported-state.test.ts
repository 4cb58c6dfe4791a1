import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObservedState } from "@tijolo/protocol";
import { newRecord, type NextVersion, type ProjectRecord } from "./record.ts";
import { reportedState } from "./reported-state.ts";

const next = (change: Partial<NextVersion>): NextVersion => ({
  versionNumber: 4,
  phase: "extracting",
  restartCount: 7,
  errorCode: null,
  errorDetails: [],
  deployed: null,
  ...change,
});
const failedInstall = next({ phase: "failed", errorCode: "install_failed" });
const failedStart = next({ phase: "failed", errorCode: "start_failed" });

interface Case {
  name: string;
  /** Phase of version 3, which has come up. */
  phase: ObservedState["phase"];
  next?: NextVersion;
  installed?: null;
  expect: Pick<ObservedState, "phase" | "versionNumber" | "restartCount" | "servingVersion" | "hasComeUp">;
  /** Code of the last detail of the report. */
  says?: "earlier_version_stays_up" | "earlier_version_is_back";
}

const told = (
  phase: ObservedState["phase"],
  [versionNumber, servingVersion]: [number, number | null],
  { restartCount = 6, hasComeUp = versionNumber === 3 } = {},
): Case["expect"] => ({ phase, versionNumber, restartCount, servingVersion, hasComeUp });
const seven = { restartCount: 7 };

const cases: Case[] = [
  { name: "a run that is up serves", phase: "running", expect: told("running", [3, 3]) },
  {
    name: "so does one that is being stopped, until it has ended",
    phase: "stopping",
    expect: told("stopping", [3, 3]),
  },
  {
    name: "one that comes back by itself counts as serving",
    phase: "waiting",
    expect: told("waiting", [3, 3]),
  },
  {
    name: "one that a person asked for does not yet",
    phase: "starting",
    expect: told("starting", [3, null]),
  },
  {
    name: "nor does the first start of a version",
    phase: "installing",
    expect: told("installing", [3, null]),
  },
  { name: "what has ended serves nobody", phase: "ready", expect: told("ready", [3, null]) },
  { name: "nor does what has failed", phase: "failed", expect: told("failed", [3, null]) },
  {
    name: "while new code comes, the earlier version serves",
    phase: "running",
    next: next({}),
    expect: told("extracting", [4, 3]),
  },
  {
    name: "also while it is installed",
    phase: "running",
    next: next({ phase: "installing" }),
    expect: told("installing", [4, 3]),
  },
  {
    name: "and while it comes back itself",
    phase: "waiting",
    next: next({ phase: "installing" }),
    expect: told("installing", [4, 3]),
  },
  {
    name: "new code beside what is off",
    phase: "ready",
    next: next({ phase: "installing" }),
    expect: told("installing", [4, null]),
  },
  {
    name: "the first code of a project",
    phase: "extracting",
    installed: null,
    next: next({}),
    expect: told("extracting", [4, null]),
  },
  {
    name: "after a failed install the earlier version serves",
    phase: "running",
    next: failedInstall,
    expect: told("failed", [4, 3], seven),
    says: "earlier_version_stays_up",
  },
  {
    name: "also between a crash and its restart",
    phase: "waiting",
    next: failedInstall,
    expect: told("failed", [4, 3], seven),
    says: "earlier_version_stays_up",
  },
  {
    name: "and no longer than it does",
    phase: "failed",
    next: failedInstall,
    expect: told("failed", [4, null], seven),
  },
  { name: "nor after a stop", phase: "ready", next: failedInstall, expect: told("failed", [4, null], seven) },
  {
    name: "after a failed start the earlier version is on its way back",
    phase: "waiting",
    next: failedStart,
    expect: told("failed", [4, 3], seven),
    says: "earlier_version_is_back",
  },
  {
    name: "and is back",
    phase: "running",
    next: failedStart,
    expect: told("failed", [4, 3], seven),
    says: "earlier_version_is_back",
  },
  {
    name: "unless it cannot be started either",
    phase: "failed",
    next: failedStart,
    expect: told("failed", [4, null], seven),
  },
];

for (const { name, phase, next: nextVersion = null, installed, expect, says } of cases) {
  test(name, () => {
    const record: ProjectRecord = {
      ...newRecord,
      installed: installed === null ? null : { versionNumber: 3, key: "" },
      hasProven: true,
      next: nextVersion,
      observed: { ...newRecord.observed, phase, versionNumber: 3, restartCount: 6, hasComeUp: true },
    };
    const { errorDetails, ...state } = reportedState(record);
    for (const [field, value] of Object.entries(expect))
      assert.equal(state[field as keyof typeof expect], value, field);
    assert.equal(state.errorCode, nextVersion?.errorCode ?? null);
    assert.deepEqual(errorDetails.at(-1), says && { code: says, version: 3 });
  });
}

test("a report never has more details than central takes", () => {
  const errorDetails = Array.from({ length: 4 }, () => ({ code: "exit_code", exitCode: 1 }) as const);
  const record: ProjectRecord = {
    ...newRecord,
    installed: { versionNumber: 3, key: "" },
    next: { ...failedInstall, errorDetails },
    observed: { ...newRecord.observed, phase: "running", versionNumber: 3 },
  };
  const { errorDetails: sent } = reportedState(record);
  assert.deepEqual([sent.length, sent[3]?.code], [4, "earlier_version_stays_up"]);
});
