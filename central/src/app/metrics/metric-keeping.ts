/**
 * Moves metrics through the tiers: written when a step is over, summed into longer ones, removed when they
 * are old.
 */

import { listDue, rollUpStep } from "../../store/metrics/roll-up.ts";
import { deleteMetricProject, listMetricProjects } from "../../store/metrics/metric-project.ts";
import { addStep, deleteStepsBefore } from "../../store/metrics/step.ts";
import { listExistingProjects } from "../../store/tables/projects/project-places.ts";
import type { MetricsContext } from "./metrics-context.ts";
import { finerTier, metricTiers, shortestStepSeconds, stepsBetween, stepStart } from "./metric-steps.ts";
import type { OpenStep } from "./open-steps.ts";

/** Seconds after a step's end when it is summed up: later than the last of its parts is written. */
const settleSeconds = 30;
const deletedStepsPerRun = 20;
const projectsPerRun = 1_000;

export function metricReconcilers(
  app: MetricsContext,
): { name: string; everyMs: number; run: () => Promise<void> }[] {
  return [
    { name: "write-metrics", everyMs: 5_000, run: () => writeMetrics(app) },
    { name: "condense-metrics", everyMs: 15_000, run: () => condenseMetrics(app) },
    { name: "collect-metrics", everyMs: 60_000, run: createMetricCollector(app) },
  ];
}

/**
 * Writes the steps that are over; `isLast`: also the current ones, as this process ends. What cannot be
 * written stays in memory.
 */
export async function writeMetrics(
  app: Pick<MetricsContext, "metrics" | "openSteps" | "clock">,
  { isLast = false } = {},
): Promise<void> {
  const failures: unknown[] = [];
  for (const step of app.openSteps.take(isLast ? null : app.clock.now())) {
    const failure = await addStep(app.metrics, rowsOf(step), longerSteps(step.at)).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    app.openSteps.settle(step, failure === null);
    if (failure !== null) failures.push(failure.error);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, "metrics could not be written; they wait for the next time");
}

/** Sums up what is over, then removes what is old, so that nothing is removed before that. */
export async function condenseMetrics(app: Pick<MetricsContext, "metrics" | "clock">): Promise<void> {
  const nowSeconds = app.clock.now() / 1000;
  // The shorter come first: the longer are made of them.
  for (const step of await listDue(app.metrics)) {
    if (step.at + step.stepSeconds + settleSeconds > nowSeconds) continue;
    const finer = finerTier(step.stepSeconds);
    if (finer === undefined) continue;
    const ats = stepsBetween(step.at, step.at + step.stepSeconds, finer.stepSeconds);
    await rollUpStep(app.metrics, step, { stepSeconds: finer.stepSeconds, ats });
  }
  for (const { stepSeconds, keptSeconds } of metricTiers) {
    await deleteStepsBefore(app.metrics, {
      stepSeconds,
      before: nowSeconds - keptSeconds,
      limit: deletedStepsPerRun,
    });
  }
}

/** Removes the metrics and the visits of deleted projects: each run checks some projects that have metrics, in turn. */
export function createMetricCollector(
  app: Pick<MetricsContext, "metrics" | "db" | "clock">,
): () => Promise<void> {
  let lastNumber = 0;
  return async () => {
    const projects = await listMetricProjects(app.metrics, lastNumber, projectsPerRun);
    lastNumber = projects.length < projectsPerRun ? 0 : (projects.at(-1)?.number ?? 0);
    if (projects.length === 0) return;
    const existing = await listExistingProjects(
      app.db,
      projects.map(({ id }) => id),
    );
    const nowSeconds = app.clock.now() / 1000;
    const tiers = metricTiers.map(({ stepSeconds, keptSeconds }) => {
      const ats = stepsBetween(stepStart(nowSeconds - keptSeconds, stepSeconds), nowSeconds, stepSeconds);
      return { stepSeconds, ats };
    });
    for (const project of projects) {
      if (!existing.has(project.id)) await deleteMetricProject(app.metrics, project, tiers);
    }
  };
}

function rowsOf({ at, sums }: OpenStep): Parameters<typeof addStep>[1] {
  const rows = [...sums].map(([projectId, each]) => ({
    projectId,
    covered_ms: each.coveredMs,
    memory_mb_ms: each.memoryMbMs,
    cpu_usec: each.cpuUsec,
    network_in_bytes: each.networkInBytes,
    network_out_bytes: each.networkOutBytes,
    disk_mb: each.diskMb,
  }));
  return { stepSeconds: shortestStepSeconds, at, sums: rows };
}

function longerSteps(at: number): { stepSeconds: number; at: number }[] {
  return metricTiers.slice(1).map(({ stepSeconds }) => ({ stepSeconds, at: stepStart(at, stepSeconds) }));
}
