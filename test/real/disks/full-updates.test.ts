/**
 * Fills a disk at each step of an update, of one that fails, of one that is taken back, and of a rollback.
 * The earlier run goes on or comes back, the state tells the truth, nothing that the program wrote is lost, and
 * with room again the project is updated.
 */

import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { until } from "../../support/until.ts";
import { FillableHost, smallVersion, type Fillable } from "../support/disks/fillable-host.ts";

/** Bound on the steps that are looked for: no update takes as many. */
const maxSteps = 60;
/** All of these tests together took eight minutes on a busy machine. */
const timeoutMs = 20 * 60_000;
const rows = "what the program wrote";
const one = smallVersion(1);

interface Update {
  name: string;
  wanted: Assignment;
  isRollback?: boolean;
}

const updates: Update[] = [
  { name: "an update", wanted: smallVersion(2) },
  { name: "an update whose install fails", wanted: smallVersion(2, { installCommand: "sim exit 1" }) },
  { name: "an update that is taken back", wanted: smallVersion(2, { command: "sim exit 7" }) },
  { name: "a rollback", wanted: smallVersion(3, {}, { archive: one.archive }), isRollback: true },
];

suite("a disk that is full", { concurrency: 4, timeout: timeoutMs }, () => {
  for (const update of updates) {
    test(`the project's own, at each step of ${update.name}: what ran goes on or comes back by itself`, (t) =>
      atEachStep(t, "the project's disk", update));
    test(`the host's, at each step of ${update.name}: what ran goes on, or comes back with room`, (t) =>
      atEachStep(t, "the host's disk", update));
  }
});

async function atEachStep(t: TestContext, which: Fillable, update: Update): Promise<void> {
  const ends: string[] = [];
  for (let step = 1; step < maxSteps; step++) {
    await using host = await FillableHost.create(t, which);
    try {
      await prepare(host, update);
      host.fillAt(step);
      host.project.want(update.wanted);
      if (which === "the host's disk") {
        await until(() => host.failures > 0 || isSettled(host, update));
        await host.makeRoom();
      }
      await until(() => isSettled(host, update));
    } catch (cause) {
      throw new Error(`full at step ${step}: ${stateOf(host)}`, { cause });
    }
    if (!host.isFilled) break;
    ends.push(stateOf(host));
    assert.ok((await host.dataContents()).includes(rows), `full at step ${step}: the program's file is lost`);
    await host.makeRoom();
    await assertMayBeUpdated(host, step);
  }
  t.diagnostic(`${ends.length} steps:\n${ends.join("\n")}`);
  assert.ok(ends.length > 3 && ends.length < maxSteps - 1);
}

/** Brings version 1 up, and for a rollback version 2, whose program then changes a file of its upload. */
async function prepare(host: FillableHost, { isRollback = false }: Update): Promise<void> {
  await host.startAgent(one);
  await host.project.bringUp(one);
  if (isRollback) await host.project.bringUp(smallVersion(2));
  await host.writeData(rows);
}

/** True when one run is up, of the version that the state says, and nothing is left to do. */
function isSettled({ project }: FillableHost, { wanted }: Update): boolean {
  const { told, worker } = project;
  const isOver = told.phase === "failed" || (told.phase === "running" && worker.record.next === null);
  if (!isOver || worker.record.observed.phase !== "running") return false;
  const isToEnd = wanted.settings.command !== one.settings.command;
  if (isToEnd && told.servingVersion === wanted.versionNumber) return false;
  if (!worker.record.observed.hasComeUp) project.advance(6_000);
  const runs = project.running();
  return (
    worker.record.observed.hasComeUp &&
    runs.length === 1 &&
    runs[0]?.endsWith(` of version ${told.servingVersion}`) === true
  );
}

async function assertMayBeUpdated({ project }: FillableHost, step: number): Promise<void> {
  const next = smallVersion(9);
  try {
    await project.bringUp(next);
  } catch (cause) {
    throw new Error(`not updated after step ${step}: ${JSON.stringify(project.told)}`, { cause });
  }
  assert.match(project.running().join(), /^run \d+ of version 9$/, `after step ${step}`);
}

function stateOf({ project }: FillableHost): string {
  const { phase, versionNumber, servingVersion, errorCode, errorDetails } = project.told;
  const reasons = errorDetails.map(({ code }) => code).join(", ");
  return `${phase} ${versionNumber} ${errorCode ?? ""} (${reasons}), serving ${servingVersion}: ${project.running().join()}`;
}
