import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project, ProjectStatus, Version } from "@tijolo/protocol";
import { ComingUp } from "./coming-up.ts";

const exitBefore = "2025-12-31T00:00:00.000Z";
const exitAt = (exitedAt: string) => ({ code: 1, isOutOfMemory: false, exitedAt });

function project(status: Project["status"], more: Partial<Project> = {}): Project {
  const base = { type: "bot", language: "node", startedAt: "2026-01-01T00:00:00.000Z" };
  return { ...base, lastExit: exitAt(exitBefore), consecutiveCrashes: 0, status, ...more } as Project;
}

function version(status: Version["status"]): Version {
  return { number: 4, status } as Version;
}

function makeComingUp() {
  const clock = { at: 0, now: () => clock.at };
  const rechecks: number[] = [];
  const comingUp = new ComingUp({ clock, recheck: (afterMs) => rechecks.push(afterMs), exitBefore });
  return { clock, rechecks, comingUp };
}

test("a version is up when the service says so, and not before, however long it runs", () => {
  for (const type of ["bot", "site"] as const) {
    const { clock, rechecks, comingUp } = makeComingUp();
    assert.equal(comingUp.judge({ project: project("installing", { type }), version: null }), null);
    for (const at of [0, 4_000, 30_000, 60_000]) {
      clock.at = at;
      assert.equal(
        comingUp.judge({ project: project("running", { type }), version: version("installing") }),
        null,
      );
    }
    assert.equal(rechecks.length, 4);
    assert.equal(comingUp.judge({ project: project("running", { type }), version: version("live") }), "up");
  }
});

test("a run that the service does not see come up is given up; another run begins anew", () => {
  const { clock, comingUp } = makeComingUp();
  const judge = (startedAt: string) =>
    comingUp.judge({
      project: project("running", { type: "site", startedAt }),
      version: version("installing"),
    });
  assert.equal(judge("2026-01-01T00:00:00.000Z"), null);
  clock.at = 74_000;
  assert.equal(judge("2026-01-01T00:01:00.000Z"), null);
  clock.at = 148_000;
  assert.equal(judge("2026-01-01T00:01:00.000Z"), null);
  clock.at = 149_000;
  assert.equal(judge("2026-01-01T00:01:00.000Z"), "silent");
});

test("the crash after the first restart is the result, though the host goes on trying", () => {
  const { comingUp } = makeComingUp();
  const lastExit = exitAt("2026-01-01T00:00:01.000Z");
  const judge = (status: ProjectStatus, more: object) =>
    comingUp.judge({ project: project(status, more), version: version("installing") });
  assert.equal(judge("restarting", { consecutiveCrashes: 1, lastExit }), null);
  assert.equal(judge("running", { consecutiveCrashes: 1, lastExit }), null);
  assert.equal(judge("restarting", { consecutiveCrashes: 4 }), null, "those of before the request");
  assert.equal(judge("restarting", { consecutiveCrashes: 2, lastExit }), "crashing");
  assert.equal(comingUp.judge({ project: project("crash_loop"), version: version("installing") }), "failed");
  assert.equal(comingUp.judge({ project: project("error"), version: version("installing") }), "failed");
});

test("a version that came up and crashed since has to last", () => {
  const { clock, comingUp } = makeComingUp();
  const now = project("running", { consecutiveCrashes: 1 });
  assert.equal(comingUp.judge({ project: now, version: version("live") }), null);
  clock.at = 5_000;
  assert.equal(comingUp.judge({ project: now, version: version("live") }), "up");
});

test("a failed version is told once the one before it is back, or does not come back", () => {
  const { clock, comingUp } = makeComingUp();
  assert.equal(comingUp.judge({ project: project("restarting"), version: version("failed") }), null);
  assert.equal(comingUp.judge({ project: project("running"), version: version("failed") }), "failed");
  clock.at = 60_000;
  assert.equal(comingUp.judge({ project: project("restarting"), version: version("failed") }), "failed");
  assert.equal(comingUp.judge({ project: project("running"), version: version("superseded") }), "superseded");
});

test("a stopped project was not to run, or has run since", () => {
  const { comingUp } = makeComingUp();
  assert.equal(comingUp.judge({ project: project("stopped"), version: version("installing") }), "off");
  const never = project("stopped", { lastExit: null });
  assert.equal(comingUp.judge({ project: never, version: version("live") }), "off");
  const ended = project("stopped", { lastExit: exitAt("2026-01-01T00:00:01.000Z") });
  assert.equal(comingUp.judge({ project: ended, version: version("live") }), "ended");
});

test("where no version is known, a run has to last, and after a crash it begins anew", () => {
  const { clock, rechecks, comingUp } = makeComingUp();
  const judge = (startedAt: string) =>
    comingUp.judge({ project: project("running", { startedAt }), version: null });
  assert.equal(judge("2026-01-01T00:00:00.000Z"), null);
  clock.at = 4_900;
  assert.equal(judge("2026-01-01T00:00:04.000Z"), null);
  clock.at = 9_800;
  assert.equal(judge("2026-01-01T00:00:04.000Z"), null);
  assert.ok((rechecks.at(-1) ?? 0) >= 100);
  clock.at = 9_900;
  assert.equal(judge("2026-01-01T00:00:04.000Z"), "up");
  assert.equal(
    makeComingUp().comingUp.judge({ project: project("running", { language: "static" }), version: null }),
    "up",
  );
});
