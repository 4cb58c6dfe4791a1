/** Adds up the usage of all projects of an account, a few points each, in a few statements. */

import { sparklineSteps, type AccountMetrics, type SparklineRange } from "@tijolo/protocol";
import { listProjectSums } from "../../store/metrics/account-steps.ts";
import { listDue } from "../../store/metrics/roll-up.ts";
import { metricTiers, rowsOfSteps, stepsBetween, stepStart } from "./metric-steps.ts";
import type { MetricsContext } from "./metrics-context.ts";

type Sparkline = AccountMetrics["projects"][number];
interface Sums {
  coveredMs: number;
  memoryMbMs: number;
  cpuUsec: number;
}

/** Returns the points of these projects, each project's oldest first; a gap is null. */
export async function readAccountMetrics(
  app: Pick<MetricsContext, "metrics" | "openSteps" | "clock">,
  projectIds: readonly string[],
  range: SparklineRange,
): Promise<AccountMetrics> {
  const { stepSeconds, points } = sparklineSteps[range];
  const from = stepStart(app.clock.now() / 1000, stepSeconds) - (points - 1) * stepSeconds;
  const lines = new Map(projectIds.map((id) => [id, Array.from<Sums | null>({ length: points }).fill(null)]));
  const add = (projectId: string, at: number, sums: Sums) => {
    const line = lines.get(projectId);
    const index = Math.floor((at - from) / stepSeconds);
    if (line === undefined || index < 0 || index >= points) return;
    line[index] = addSums(line[index] ?? null, sums);
  };
  const tiers = rowsOfSteps(partsOf(from, range), await listDue(app.metrics));
  for (const { projectId, at, ...sums } of await listProjectSums(app.metrics, projectIds, {
    stepSeconds,
    tiers,
  }))
    add(projectId, at, sums);
  for (const id of projectIds) for (const { at, sums } of app.openSteps.find(id)) add(id, at, sums);
  return {
    stepSeconds,
    from: new Date(from * 1000).toISOString(),
    projects: [...lines].map(([id, line]) => sparklineOf(id, line)),
  };
}

/** Returns the stored steps that the points consist of: the longest that divide a point. */
function partsOf(from: number, range: SparklineRange): { stepSeconds: number; ats: number[] } {
  const { stepSeconds, points } = sparklineSteps[range];
  const tier = metricTiers.findLast((each) => stepSeconds % each.stepSeconds === 0);
  if (tier === undefined) throw new Error(`no tier divides ${stepSeconds} s`);
  const ats = stepsBetween(from, from + points * stepSeconds, tier.stepSeconds);
  return { stepSeconds: tier.stepSeconds, ats };
}

function addSums(known: Sums | null, more: Sums): Sums {
  return {
    coveredMs: (known?.coveredMs ?? 0) + more.coveredMs,
    memoryMbMs: (known?.memoryMbMs ?? 0) + more.memoryMbMs,
    cpuUsec: (known?.cpuUsec ?? 0) + more.cpuUsec,
  };
}

function sparklineOf(id: string, line: readonly (Sums | null)[]): Sparkline {
  return {
    id,
    memoryMb: line.map((sums) => sums && Math.round((sums.memoryMbMs / sums.coveredMs) * 10) / 10),
    cpuPercent: line.map((sums) => sums && Math.round(sums.cpuUsec / sums.coveredMs) / 10),
  };
}
