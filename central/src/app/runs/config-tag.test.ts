import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObservedState } from "@tijolo/protocol";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import { configTagOf, isRestartRequired } from "./config-tag.ts";

const settings = sampleSettings();
const today = configTagOf({ settings, variablesRevision: "1", subdomain: null });

function row(change: {
  run?: "on" | "off";
  restartCount?: number;
  startConfigTag?: string | null;
  observed?: Partial<ObservedState> | null;
}) {
  const observed = sampleState({ configTag: today, ...change.observed });
  const { run = "on", restartCount = 1, startConfigTag = today } = change;
  const own = {
    settings,
    variablesRevision: "1",
    subdomain: null,
    run,
    restartCount,
    startConfigTag,
    observed: change.observed === null ? null : observed,
  };
  return own as unknown as ProjectRow;
}

test("a tag is another for other settings, other variables and another subdomain, and the same for the same", () => {
  const same = { settings: { ...settings }, variablesRevision: "1", subdomain: null };
  assert.equal(configTagOf(same), today);
  assert.notEqual(configTagOf({ ...same, settings: { ...settings, memoryMb: 257 } }), today);
  assert.notEqual(configTagOf({ ...same, variablesRevision: "2" }), today);
  assert.notEqual(configTagOf({ ...same, variablesRevision: null }), today);
  assert.notEqual(configTagOf({ ...same, subdomain: "shop" }), today);
});

test("what happens after a failure takes effect at once: it is in no tag", () => {
  const keep = { ...settings, onFailure: "keep" as const };
  assert.equal(configTagOf({ settings: keep, variablesRevision: "1", subdomain: null }), today);
});

test("a restart is required exactly when what runs was started with something else", () => {
  const cases: [name: string, row: ProjectRow, expected: boolean][] = [
    ["it runs what is wanted", row({}), false],
    ["it runs something older", row({ observed: { configTag: "older" } }), true],
    [
      "the start that was asked for had something else, but a crash brought the new",
      row({ startConfigTag: "older" }),
      false,
    ],
    ["it is off", row({ run: "off", observed: { configTag: "older" } }), false],
    [
      "a start is on its way with what is wanted",
      row({ restartCount: 2, observed: { configTag: "older" } }),
      false,
    ],
    ["a start is on its way with something older", row({ restartCount: 2, startConfigTag: "older" }), true],
    ["the host has told nothing yet", row({ observed: null }), false],
    [
      "the host has told nothing yet, and something changed",
      row({ observed: null, startConfigTag: "older" }),
      true,
    ],
    [
      "a host that tells no tag counts by the start",
      row({ observed: { configTag: null }, startConfigTag: "older" }),
      true,
    ],
    ["nothing is known of the run", row({ observed: { configTag: null }, startConfigTag: null }), false],
  ];
  for (const [name, each, expected] of cases) assert.equal(isRestartRequired(each), expected, name);
});
