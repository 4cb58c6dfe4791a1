import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import { configTagOf, isRestartRequired } from "./config-tag.ts";
import { runStart } from "./run-change.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";

const settings = sampleSettings({ memoryMb: 256 });

function row(observed: ProjectRow["observed"], versionNumber = 2): ProjectRow {
  const wanted = { settings, variablesRevision: null, subdomain: "new" };
  const run = { run: "on", restartCount: 3, versionNumber, startConfigTag: configTagOf(wanted) };
  return { ...wanted, ...run, observed } as unknown as ProjectRow;
}

test("a start has the wanted settings at once, unless an earlier version serves, which may have to come back", () => {
  const request = { run: "on", restartCount: 4, startConfigTag: row(null).startConfigTag };
  const whole = { ...request, runningSettings: settings, servedSubdomain: "new" };
  for (const [name, observed, expected] of [
    ["nothing is known", null, whole],
    ["nothing runs", sampleState({ phase: "ready", versionNumber: 2, servingVersion: null }), whole],
    ["the wanted version serves", sampleState({ versionNumber: 2, servingVersion: 2 }), whole],
    ["an earlier one serves", sampleState({ versionNumber: 1, servingVersion: 1 }), request],
    [
      "an earlier one serves after a failure",
      sampleState({ phase: "failed", versionNumber: 2, servingVersion: 1 }),
      request,
    ],
  ] as const)
    assert.deepEqual(runStart(row(observed)), expected, name);
});

test("a restart is required while an earlier version with other settings serves, and not where nothing runs", () => {
  const failed = { phase: "failed", versionNumber: 2, restartCount: 3, errorCode: "install_failed" } as const;
  const serving = sampleState({ ...failed, servingVersion: 1, configTag: "of version 1" });
  assert.equal(isRestartRequired(row(serving)), true);
  const nothing = sampleState({ ...failed, servingVersion: null, configTag: "of version 1" });
  assert.equal(isRestartRequired(row(nothing)), false);
});
