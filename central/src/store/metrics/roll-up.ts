/**
 * Holds the SQL that sums steps up from shorter ones, and the list of the steps that are due for it. Sums are
 * made in pieces, between which other work gets its turn.
 */

import { setImmediate as others } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import { sumColumns, type MetricDatabase, type MetricReader, type MetricSchema } from "./schema.ts";

/** Projects of one statement that sums steps up. */
const projectsAtOnce = 1_000;

export async function listDue(db: MetricReader): Promise<{ stepSeconds: number; at: number }[]> {
  const rows = await db.selectFrom("due").selectAll().orderBy("step_seconds").orderBy("at").execute();
  return rows.map(({ step_seconds: stepSeconds, at }) => ({ stepSeconds, at }));
}

/** Sums the step up from its parts, in one transaction; afterwards it is no longer due. */
export async function rollUpStep(
  db: MetricDatabase,
  step: { stepSeconds: number; at: number },
  parts: { stepSeconds: number; ats: readonly number[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const last = await tx
      .selectFrom("project")
      .select("number")
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    for (let from = 1; from <= (last?.number ?? 0); from += projectsAtOnce) {
      await rollUpProjects(tx, { step, parts, from, to: from + projectsAtOnce - 1 });
      await others();
    }
    await tx
      .deleteFrom("due")
      .where("step_seconds", "=", step.stepSeconds)
      .where("at", "=", step.at)
      .execute();
  });
}

/** Sums the step up for the projects with these numbers; sums that are there already are replaced. */
async function rollUpProjects(
  tx: Transaction<MetricSchema>,
  input: {
    step: { stepSeconds: number; at: number };
    parts: { stepSeconds: number; ats: readonly number[] };
    from: number;
    to: number;
  },
): Promise<void> {
  const { step, parts, from, to } = input;
  await tx
    .insertInto("step")
    .columns(["step_seconds", "at", "project", ...sumColumns])
    .expression((select) =>
      select
        .selectFrom("step")
        .select((column) => [
          sql<number>`${step.stepSeconds}`.as("step_seconds"),
          sql<number>`${step.at}`.as("at"),
          "project" as const,
          column.fn.sum<number>("covered_ms").as("covered_ms"),
          column.fn.sum<number>("memory_mb_ms").as("memory_mb_ms"),
          column.fn.sum<number>("cpu_usec").as("cpu_usec"),
          column.fn.sum<number>("network_in_bytes").as("network_in_bytes"),
          column.fn.sum<number>("network_out_bytes").as("network_out_bytes"),
          column.fn.max("disk_mb").as("disk_mb"),
        ])
        .where("step_seconds", "=", parts.stepSeconds)
        .where("at", "in", parts.ats)
        .where("project", ">=", from)
        .where("project", "<=", to)
        .groupBy("project"),
    )
    .onConflict((conflict) =>
      conflict.columns(["step_seconds", "at", "project"]).doUpdateSet({
        covered_ms: sql`excluded.covered_ms`,
        memory_mb_ms: sql`excluded.memory_mb_ms`,
        cpu_usec: sql`excluded.cpu_usec`,
        network_in_bytes: sql`excluded.network_in_bytes`,
        network_out_bytes: sql`excluded.network_out_bytes`,
        disk_mb: sql`excluded.disk_mb`,
      }),
    )
    .execute();
}
