/** Takes the usage that hosts report, and adds it up for charts. */

import { metricSteps, type MetricRange, type Metrics, type UsageReport } from "@tijolo/protocol";
import { listDue } from "../../store/metrics/roll-up.ts";
import { listSteps } from "../../store/metrics/step.ts";
import { listPlacedProjects } from "../../store/tables/projects/project-places.ts";
import type { MetricsContext } from "./metrics-context.ts";
import { rowsOfSteps, stepsBetween, stepStart } from "./metric-steps.ts";
import { addSums, averagesOf, type MetricSums } from "./metric-sums.ts";

/** Takes a report of usage. A host can report only about the projects that are placed on it. */
export async function takeUsage(app: MetricsContext, hostId: string, report: UsageReport): Promise<void> {
  const placed = await listPlacedProjects(app.db, hostId);
  const nowMs = app.clock.now();
  for (const interval of app.usage.take(hostId, report, (projectId) => placed.has(projectId)))
    app.openSteps.add(interval, nowMs);
}

/** Adds up what was written and what is in memory. */
export async function readMetrics(
  app: Pick<MetricsContext, "metrics" | "openSteps" | "clock">,
  id: string,
  range: MetricRange,
): Promise<Pick<Metrics, "stepSeconds" | "points">> {
  const { rangeSeconds, stepSeconds } = metricSteps[range];
  const nowSeconds = app.clock.now() / 1000;
  const from = stepStart(nowSeconds - rangeSeconds, stepSeconds) + stepSeconds;
  const ats = stepsBetween(from, nowSeconds, stepSeconds);
  const rows = await listSteps(
    app.metrics,
    id,
    rowsOfSteps({ stepSeconds, ats }, await listDue(app.metrics)),
  );

  const points = new Map<number, MetricSums>();
  const add = (at: number, sums: MetricSums) => {
    const start = stepStart(at, stepSeconds);
    const known = points.get(start);
    if (start >= from && at <= nowSeconds)
      points.set(start, known === undefined ? sums : addSums(known, sums));
  };
  for (const row of rows) {
    add(row.at, {
      coveredMs: row.covered_ms,
      memoryMbMs: row.memory_mb_ms,
      cpuUsec: row.cpu_usec,
      networkInBytes: row.network_in_bytes,
      networkOutBytes: row.network_out_bytes,
      diskMb: row.disk_mb,
    });
  }
  for (const { at, sums } of app.openSteps.find(id)) add(at, sums);
  return {
    stepSeconds,
    points: [...points]
      .toSorted(([one], [other]) => one - other)
      .map(([at, sums]) => ({ at: new Date(at * 1000).toISOString(), ...averagesOf(sums) })),
  };
}
