import assert from "node:assert/strict";
import { test } from "node:test";
import { statusOf, type ObservedState } from "./project-state.ts";

const seen = (phase: ObservedState["phase"], restartCount: number): ObservedState => ({
  phase,
  versionNumber: 1,
  restartCount,
  errorCode: null,
  errorDetail: "",
  consecutiveCrashes: 0,
  lastExit: null,
  startedAt: null,
  configTag: null,
});

test("a stop that overtook a start is done once the host has told that it heard of both", () => {
  const stopped = { run: "off", restartCount: 2, versionNumber: 1 } as const;
  const told = [seen("ready", 1), seen("starting", 2), seen("stopping", 2), seen("ready", 2)];
  assert.deepEqual(
    told.map((observed) => statusOf(stopped, observed)),
    ["restarting", "restarting", "running", "stopped"],
  );
});

test("what is up stays up in the status until the host has told of its end", () => {
  const stopped = { run: "off", restartCount: 1, versionNumber: 1 } as const;
  const told = [seen("running", 1), seen("stopping", 1), seen("ready", 1)];
  assert.deepEqual(
    told.map((observed) => statusOf(stopped, observed)),
    ["running", "running", "stopped"],
  );
});
