import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { configTagOf } from "./config-tag.ts";
import { waitingFieldsOf } from "./waiting-fields.ts";

const settings = sampleSettings();
const started = { settings, variablesRevision: "1", subdomain: "shop" };
const tag = configTagOf(started);

function row(changes: Partial<ProjectRow>): ProjectRow {
  return {
    ...started,
    runningSettings: settings,
    servedSubdomain: "shop",
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    startConfigTag: tag,
    observed: sampleState({ configTag: tag }),
    ...changes,
  } as unknown as ProjectRow;
}

test("the fields that wait are those that the run was not started with", () => {
  const more = sampleSettings({ memoryMb: 512, systemPackages: ["git"] });
  const cases: [string, Partial<ProjectRow>, string[]][] = [
    ["nothing changed", {}, []],
    ["settings", { settings: more }, ["systemPackages", "memoryMb"]],
    ["variables", { variablesRevision: "2" }, ["variables"]],
    [
      "variables, of what runs since it was created",
      { runningSettings: null, variablesRevision: "2" },
      ["variables"],
    ],
    ["the subdomain", { subdomain: "store" }, ["subdomain"]],
    [
      "all of them",
      { settings: more, variablesRevision: "2", subdomain: "store" },
      ["systemPackages", "memoryMb", "subdomain", "variables"],
    ],
    ["it is off", { run: "off", settings: more }, []],
    [
      "a start with the new is on its way",
      { settings: more, restartCount: 2, startConfigTag: configTagOf({ ...started, settings: more }) },
      [],
    ],
    ["what happens after a failure acts at once", { settings: sampleSettings({ onFailure: "keep" }) }, []],
  ];
  for (const [name, changes, expected] of cases)
    assert.deepEqual(waitingFieldsOf(row(changes)), expected, name);
});
