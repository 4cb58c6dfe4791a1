import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "@tijolo/protocol";
import { outcomeOf, Settling } from "./settling.ts";

function state(
  status: Project["status"],
  consecutiveCrashes = 0,
  startedAt: string | null = "2026-01-01T00:00:00.000Z",
): Project {
  return { status, consecutiveCrashes, startedAt } as Project;
}

function makeSettling() {
  const clock = { at: 0, now: () => clock.at };
  const rechecks: number[] = [];
  return { clock, rechecks, settling: new Settling(clock, (afterMs) => rechecks.push(afterMs)) };
}

test("a project has come up once it has run for a moment", () => {
  const { clock, rechecks, settling } = makeSettling();
  assert.equal(settling.isDone(state("installing")), false);
  assert.equal(settling.isDone(state("running")), false);
  assert.equal(rechecks.length, 1);
  clock.at += rechecks[0] ?? 0;
  assert.equal(settling.isDone(state("running")), true);
});

test("another run begins the moment anew, and after a crash it is longer", () => {
  const { clock, rechecks, settling } = makeSettling();
  settling.isDone(state("running"));
  clock.at += rechecks[0] ?? 0;
  assert.equal(settling.isDone(state("running", 1, "2026-01-01T00:00:05.000Z")), false);
  assert.ok((rechecks[1] ?? 0) > (rechecks[0] ?? 0));
});

test("a second crash in a row is a failure, though the host goes on trying", () => {
  const { settling } = makeSettling();
  for (const status of ["running", "restarting"] as const) {
    assert.equal(settling.isDone(state(status, 2)), true);
    assert.equal(outcomeOf(state(status, 2)), "failed");
  }
});

test("what is at rest is done", () => {
  const { settling } = makeSettling();
  for (const [status, outcome] of [
    ["stopped", "stopped"],
    ["error", "failed"],
    ["crash_loop", "failed"],
  ] as const) {
    assert.equal(settling.isDone(state(status, 5)), true);
    assert.equal(outcomeOf(state(status, 5)), outcome);
  }
});
