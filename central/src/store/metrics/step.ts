/**
 * Holds the SQL of what projects used in each step of time. Long work is done in pieces, between which other
 * work gets its turn.
 */

import { setImmediate as others } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import { piecesOf } from "../pieces.ts";
import { numbersOf } from "./metric-project.ts";
import {
  sumColumns,
  type MetricDatabase,
  type MetricReader,
  type MetricSchema,
  type SumColumns,
} from "./schema.ts";

type MetricTransaction = Transaction<MetricSchema>;
type StepRow = MetricSchema["step"];

/** Rows of one statement. */
const rowsAtOnce = 250;

export interface StepSums extends SumColumns {
  projectId: string;
}

/**
 * Adds to the step what each project used in it, in one transaction, and marks the longer steps it is part of
 * as due.
 */
export async function addStep(
  db: MetricDatabase,
  step: { stepSeconds: number; at: number; sums: readonly StepSums[] },
  partOf: readonly { stepSeconds: number; at: number }[],
): Promise<void> {
  const numbers = await numbersOf(db, step.sums);
  await db.transaction().execute(async (tx) => {
    const rows = step.sums.map(({ projectId, ...sums }): StepRow => {
      return { step_seconds: step.stepSeconds, at: step.at, project: numbers.get(projectId) ?? 0, ...sums };
    });
    rows.sort((one, other) => one.project - other.project);
    for (const piece of piecesOf(rows, rowsAtOnce)) {
      await addRows(tx, piece);
      await others();
    }
    await markDue(tx, partOf);
  });
}

/** Returns rows of one project, in no order. */
export async function listSteps(
  db: MetricReader,
  projectId: string,
  tiers: readonly { stepSeconds: number; ats: readonly number[] }[],
): Promise<(SumColumns & { at: number })[]> {
  const queries = tiers
    .filter(({ ats }) => ats.length > 0)
    .map(({ stepSeconds, ats }) =>
      db
        .selectFrom("step")
        .select(["at", ...sumColumns])
        .where("step_seconds", "=", stepSeconds)
        .where("at", "in", ats)
        .where("project", "=", (select) =>
          select.selectFrom("project").select("number").where("id", "=", projectId),
        ),
    );
  const [first, ...rest] = queries;
  if (first === undefined) return [];
  return rest.reduce((all, next) => all.unionAll(next), first).execute();
}

/** Removes steps of a tier that begin before `before`, oldest first, at most `limit`; returns how many. */
export async function deleteStepsBefore(
  db: MetricDatabase,
  { stepSeconds, before, limit }: { stepSeconds: number; before: number; limit: number },
): Promise<number> {
  for (let deleted = 0; deleted < limit; deleted++) {
    const oldest = await db
      .selectFrom("step")
      .select("at")
      .where("step_seconds", "=", stepSeconds)
      .where("at", "<", before)
      .orderBy("at")
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) return deleted;
    await db.deleteFrom("step").where("step_seconds", "=", stepSeconds).where("at", "=", oldest.at).execute();
    await others();
  }
  return limit;
}

async function addRows(tx: MetricTransaction, rows: readonly StepRow[]): Promise<void> {
  await tx
    .insertInto("step")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["step_seconds", "at", "project"]).doUpdateSet({
        covered_ms: sql`step.covered_ms + excluded.covered_ms`,
        memory_mb_ms: sql`step.memory_mb_ms + excluded.memory_mb_ms`,
        cpu_usec: sql`step.cpu_usec + excluded.cpu_usec`,
        network_in_bytes: sql`step.network_in_bytes + excluded.network_in_bytes`,
        network_out_bytes: sql`step.network_out_bytes + excluded.network_out_bytes`,
        disk_mb: sql`case when excluded.disk_mb > coalesce(step.disk_mb, -1) then excluded.disk_mb else step.disk_mb end`,
      }),
    )
    .execute();
}

async function markDue(
  tx: MetricTransaction,
  steps: readonly { stepSeconds: number; at: number }[],
): Promise<void> {
  await tx
    .insertInto("due")
    .values(steps.map(({ stepSeconds, at }) => ({ step_seconds: stepSeconds, at })))
    .onConflict((conflict) => conflict.columns(["step_seconds", "at"]).doNothing())
    .execute();
}
