/** Holds the SQL of the projects that the file of metrics knows, each by a short number. */

import { setImmediate as others } from "node:timers/promises";
import { piecesOf } from "../pieces.ts";
import type { MetricDatabase, MetricProject, MetricReader } from "./schema.ts";

/** Ids of one statement. */
const idsAtOnce = 250;

/** Returns projects with a number above `after`, in its order. */
export async function listMetricProjects(
  db: MetricReader,
  after: number,
  limit: number,
): Promise<MetricProject[]> {
  return db
    .selectFrom("project")
    .selectAll()
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();
}

/** Forgets a project: its rows in these steps, its visits, and its number. */
export async function deleteMetricProject(
  db: MetricDatabase,
  project: MetricProject,
  tiers: readonly { stepSeconds: number; ats: readonly number[] }[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { stepSeconds, ats } of tiers) {
      await tx
        .deleteFrom("step")
        .where("step_seconds", "=", stepSeconds)
        .where("at", "in", ats)
        .where("project", "=", project.number)
        .execute();
    }
    await tx.deleteFrom("visit_step").where("project", "=", project.number).execute();
    await tx.deleteFrom("visit_top").where("project", "=", project.number).execute();
    await tx.deleteFrom("project").where("number", "=", project.number).execute();
  });
  db.projectNumbers.delete(project.id);
}

/** Returns the numbers of these projects; those that have none yet get one. */
export async function numbersOf(
  db: MetricDatabase,
  projects: readonly { projectId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const known = db.projectNumbers;
  const missing = projects.map(({ projectId }) => projectId).filter((id) => !known.has(id));
  for (const ids of piecesOf(missing, idsAtOnce)) {
    const rows = await db.transaction().execute(async (tx) => {
      await tx
        .insertInto("project")
        .values(ids.map((id) => ({ id })))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
      return tx.selectFrom("project").selectAll().where("id", "in", ids).execute();
    });
    for (const { id, number } of rows) known.set(id, number);
    await others();
  }
  return known;
}
