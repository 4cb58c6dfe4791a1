import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObservedState } from "@tijolo/protocol";
import { anonymousNoticeText, noticeText } from "@tijolo/protocol/texts/central";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import { noticeOfReport } from "./note-report.ts";

const project = { id: "01J0000000000000000000000A", name: "bot" };
const row = {
  ...project,
  settings: sampleSettings({ memoryMb: 512 }),
  runningSettings: sampleSettings({ memoryMb: 256 }),
  observed: sampleState(),
};
const of = (state: Partial<ObservedState>, before: ObservedState | null = row.observed) =>
  noticeOfReport({ ...row, observed: before }, { kind: "state", state: { ...sampleState(), ...state } });
const exit = (isOutOfMemory: boolean) =>
  noticeOfReport(row, {
    kind: "exit",
    runNumber: 1,
    exit: { code: 137, isOutOfMemory, exitedAt: "2026-01-01T00:00:00.000Z" },
    isCrash: true,
  });

test("an exit for memory is a notice with the memory that the run had; another exit is none", () => {
  assert.deepEqual(exit(true), { kind: "out_of_memory", project, memoryMb: 256 });
  assert.equal(exit(false), null);
});

test("each failure of a version is a notice of its kind", () => {
  const lastExit = { code: 3, isOutOfMemory: false, exitedAt: "2026-01-01T00:00:00.000Z" };
  assert.deepEqual(of({ phase: "failed", errorCode: "crash_loop", lastExit }), {
    kind: "crash_loop",
    project,
    exitCode: 3,
  });
  for (const [code, kind] of [
    ["install_failed", "install_failed"],
    ["install_timeout", "install_failed"],
    ["install_out_of_memory", "install_failed"],
    ["install_interrupted", "install_failed"],
    ["system_packages_failed", "install_failed"],
    ["start_failed", "start_failed"],
  ] as const) {
    assert.deepEqual(of({ phase: "failed", errorCode: code, versionNumber: 3 }), {
      kind,
      project,
      versionNumber: 3,
      servingVersion: null,
      error: { code, details: [] },
    });
  }
  assert.equal(of({ phase: "failed", errorCode: "process_exited" }), null);
  assert.equal(of({ phase: "running" }), null);
});

test("an earlier version that goes on is named, also while the project counts as running", () => {
  const found = of({ phase: "running", errorCode: "start_failed", versionNumber: 3, servingVersion: 2 });
  assert.equal(found?.kind === "start_failed" && found.servingVersion, 2);
});

test("which version goes on is said once, in the list as in a mail", () => {
  const exited = { code: "exit_code", exitCode: 3 } as const;
  for (const code of ["earlier_version_stays_up", "earlier_version_is_back"] as const) {
    const errorDetails = [exited, { code, version: 2 }];
    const errorCode = code === "earlier_version_is_back" ? "start_failed" : "install_failed";
    const found = of({ phase: "failed", errorCode, versionNumber: 3, servingVersion: 2, errorDetails });
    assert.ok(found !== null && "error" in found);
    assert.deepEqual(found.error.details, [exited]);
    for (const text of [noticeText, anonymousNoticeText])
      assert.equal(text(found, "en").message.split("ersion 2").length - 1, 1);
  }
});

test("a failure that is reported again is no notice; that of another start or version is", () => {
  const failed = { ...sampleState(), phase: "failed", errorCode: "start_failed" } as const;
  assert.equal(of(failed, failed), null);
  assert.equal(of({ ...failed, phase: "ready" }, failed), null);
  assert.notEqual(of({ ...failed, restartCount: failed.restartCount + 1 }, failed), null);
  assert.notEqual(of({ ...failed, versionNumber: failed.versionNumber + 1 }, failed), null);
  assert.notEqual(of(failed, null), null);
});
