/** Holds the SQL of the usage of many projects at once, summed into longer steps than a tier has. */

import { setImmediate as others } from "node:timers/promises";
import { sql } from "kysely";
import type { MetricReader } from "./schema.ts";

/** Projects of one statement. */
const projectsAtOnce = 250;

export interface ProjectSums {
  projectId: string;
  /** Start of the longer step, in seconds since 1970. */
  at: number;
  coveredMs: number;
  memoryMbMs: number;
  cpuUsec: number;
}

/**
 * Returns the sums of these projects by steps of `stepSeconds`, in no order. A step may come in several rows,
 * one from each tier; one without usage has none.
 */
export async function listProjectSums(
  db: MetricReader,
  projectIds: readonly string[],
  {
    stepSeconds,
    tiers,
  }: { stepSeconds: number; tiers: readonly { stepSeconds: number; ats: readonly number[] }[] },
): Promise<ProjectSums[]> {
  const found: ProjectSums[] = [];
  for (let from = 0; from < projectIds.length; from += projectsAtOnce) {
    const ids = projectIds.slice(from, from + projectsAtOnce);
    const projects = await db.selectFrom("project").selectAll().where("id", "in", ids).execute();
    const idOf = new Map(projects.map(({ number, id }) => [number, id]));
    for (const tier of tiers) {
      if (tier.ats.length === 0 || idOf.size === 0) continue;
      const rows = await sumsOfTier(db, [...idOf.keys()], { stepSeconds, tier });
      for (const { project, ...sums } of rows)
        found.push({ projectId: idOf.get(Number(project)) ?? "", ...sums });
      await others();
    }
  }
  return found;
}

async function sumsOfTier(
  db: MetricReader,
  numbers: readonly number[],
  { stepSeconds, tier }: { stepSeconds: number; tier: { stepSeconds: number; ats: readonly number[] } },
): Promise<(Omit<ProjectSums, "projectId"> & { project: number })[]> {
  const rows = await db
    .selectFrom("step")
    .select([
      "project",
      sql<number>`at - at % ${sql.lit(stepSeconds)}`.as("start"),
      sql<number>`cast(sum(covered_ms) as bigint)`.as("covered"),
      sql<number>`cast(sum(memory_mb_ms) as bigint)`.as("memory"),
      sql<number>`cast(sum(cpu_usec) as bigint)`.as("cpu"),
    ])
    .where("step_seconds", "=", tier.stepSeconds)
    .where("at", "in", tier.ats)
    .where("project", "in", numbers)
    .groupBy(["project", "start"])
    .execute();
  return rows.map(({ project, start, covered, memory, cpu }) => ({
    project,
    at: start,
    coveredMs: covered,
    memoryMbMs: memory,
    cpuUsec: cpu,
  }));
}
