/** Compares what a simulated machine knows of the ends of its runs with what central received. */

import assert from "node:assert/strict";
import type { SimulatedMachine } from "@tijolo/agent";
import type { TestCluster } from "../cluster/test-cluster.ts";
import { until } from "../until.ts";

export interface ExitRow {
  runNumber: number;
  code: number;
  isCrash: boolean;
}

/** Returns every exit that central has stored of the project, oldest first. */
export async function exitRows(cluster: TestCluster, projectId: string): Promise<ExitRow[]> {
  const rows = await cluster.central.app.db
    .selectFrom("project_exit")
    .select(["run_number", "code", "is_crash"])
    .where("project_id", "=", projectId)
    .orderBy("sequence")
    .execute();
  return rows.map((row) => ({ runNumber: row.run_number, code: row.code, isCrash: row.is_crash === 1 }));
}

export function runningCount(machine: SimulatedMachine, projectId: string): number {
  return [...machine.runs.values()].filter(
    ({ instance }) => instance.projectId === projectId && instance.exit === null,
  ).length;
}

/**
 * Asserts that each run that ended was reported once: as many exits as starts, less those that still run or
 * that a reboot took away.
 */
export async function assertExitsToldOnce(
  cluster: TestCluster,
  machine: SimulatedMachine,
  projectId: string,
  { vanished = 0 } = {},
): Promise<void> {
  const expected = () =>
    (machine.startCounts.get(projectId) ?? 0) - runningCount(machine, projectId) - vanished;
  const count = async () => (await exitRows(cluster, projectId)).length;
  await until(async () => (await count()) === expected()).catch(async () => {
    assert.equal(await count(), expected(), `exits of ${projectId}`);
  });
  const numbers = (await exitRows(cluster, projectId)).map(({ runNumber }) => runNumber);
  assert.equal(new Set(numbers).size, numbers.length, `a run of ${projectId} ended twice: ${numbers.join()}`);
}
