/**
 * Holds the SQL of what was counted of the requests to sites. A count is merged into the rows of its steps, as
 * a sketch cannot be added up by the database.
 */

import { setImmediate as others } from "node:timers/promises";
import { sql } from "kysely";
import {
  decodeTops,
  encodeTops,
  keptValues,
  mergeTops,
  VisitSums,
  type EncodedTops,
  type EncodedVisitSums,
  type VisitTops,
} from "@tijolo/protocol";
import { piecesOf } from "../pieces.ts";
import { numbersOf } from "./metric-project.ts";
import type { MetricDatabase, MetricReader } from "./schema.ts";

/** Steps that sums are kept in, in seconds. */
export const visitSteps = [900, 3_600] as const;
/** Step that tops are kept in, in seconds. */
export const topStepSeconds = 3_600;
/** Counts that are merged before others get their turn. */
const countsAtOnce = 50;
const rowsAtOnce = 24;

/** What was counted of one project since it was counted last, in the shortest step that begins at `at`. */
export interface VisitCounts {
  projectId: string;
  at: number;
  sums: VisitSums;
  tops: VisitTops;
}

/** Adds all of the counts, in one transaction. */
export async function addVisits(db: MetricDatabase, counts: readonly VisitCounts[]): Promise<void> {
  const numbers = await numbersOf(db, counts);
  await db.transaction().execute(async (tx) => {
    for (const piece of piecesOf(counts, countsAtOnce)) {
      const numbered = piece.map((each) => ({ ...each, project: numbers.get(each.projectId) ?? 0 }));
      for (const stepSeconds of visitSteps) await addSums(tx, numbered, stepSeconds);
      await addTops(tx, numbered);
      await others();
    }
  });
}

type NumberedCounts = VisitCounts & { project: number };

async function addSums(
  tx: MetricReader,
  counts: readonly NumberedCounts[],
  stepSeconds: number,
): Promise<void> {
  const rows = await tx
    .selectFrom("visit_step")
    .select(["at", "project", "sums"])
    .where("step_seconds", "=", stepSeconds)
    .where("at", "in", startsOf(counts, stepSeconds))
    .where("project", "in", projectsOf(counts))
    .execute();
  const merged = new Map(
    rows.map(({ at, project, sums }) => [`${at} ${project}`, { at, project, sums: readSums(sums) }]),
  );
  for (const { at: from, project, sums } of counts) {
    const at = startOf(from, stepSeconds);
    const known = merged.get(`${at} ${project}`) ?? { at, project, sums: new VisitSums() };
    known.sums.merge(sums);
    merged.set(`${at} ${project}`, known);
  }
  await tx
    .insertInto("visit_step")
    .values(
      [...merged.values()].map(({ at, project, sums }) => ({
        step_seconds: stepSeconds,
        at,
        project,
        sums: JSON.stringify(sums.encode()),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["step_seconds", "at", "project"]).doUpdateSet({ sums: sql`excluded.sums` }),
    )
    .execute();
}

async function addTops(tx: MetricReader, counts: readonly NumberedCounts[]): Promise<void> {
  const rows = await tx
    .selectFrom("visit_top")
    .select(["at", "project", "tops"])
    .where("at", "in", startsOf(counts, topStepSeconds))
    .where("project", "in", projectsOf(counts))
    .execute();
  const merged = new Map(
    rows.map(({ at, project, tops }) => [`${at} ${project}`, { at, project, tops: readTops(tops) }]),
  );
  for (const { at: from, project, tops } of counts) {
    const at = startOf(from, topStepSeconds);
    const known = merged.get(`${at} ${project}`) ?? { at, project, tops: new Map() as VisitTops };
    mergeTops(known.tops, tops);
    merged.set(`${at} ${project}`, known);
  }
  await tx
    .insertInto("visit_top")
    .values(
      [...merged.values()].map(({ at, project, tops }) => ({
        at,
        project,
        is_open: 1,
        tops: JSON.stringify(encodeTops(tops)),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["at", "project"]).doUpdateSet({ is_open: 1, tops: sql`excluded.tops` }),
    )
    .execute();
}

/** Returns the sums of a project in the steps that begin at `ats`, oldest first. */
export async function listVisitSums(
  db: MetricReader,
  projectId: string,
  { stepSeconds, ats }: { stepSeconds: number; ats: readonly number[] },
): Promise<{ at: number; sums: VisitSums }[]> {
  const found: { at: number; sums: VisitSums }[] = [];
  for (const piece of piecesOf(ats, rowsAtOnce)) {
    const rows = await db
      .selectFrom("visit_step")
      .select(["at", "sums"])
      .where("step_seconds", "=", stepSeconds)
      .where("at", "in", piece)
      .where("project", "=", (select) =>
        select.selectFrom("project").select("number").where("id", "=", projectId),
      )
      .orderBy("at")
      .execute();
    for (const { at, sums } of rows) found.push({ at, sums: readSums(sums) });
    await others();
  }
  return found;
}

/** Returns the tops of a project in the hours that begin at `ats`, merged. */
export async function sumVisitTops(
  db: MetricReader,
  projectId: string,
  ats: readonly number[],
): Promise<VisitTops> {
  const merged: VisitTops = new Map();
  for (const piece of piecesOf(ats, rowsAtOnce)) {
    const rows = await db
      .selectFrom("visit_top")
      .select("tops")
      .where("at", "in", piece)
      .where("project", "=", (select) =>
        select.selectFrom("project").select("number").where("id", "=", projectId),
      )
      .orderBy("at")
      .execute();
    for (const { tops } of rows) mergeTops(merged, readTops(tops));
    await others();
  }
  return merged;
}

/** Cuts the tops of hours that began before `before` to the values that are kept; at most `limit` rows. */
export async function closeVisitTops(
  db: MetricDatabase,
  { before, limit }: { before: number; limit: number },
): Promise<void> {
  const rows = await db
    .selectFrom("visit_top")
    .select(["at", "project"])
    .where("is_open", "=", 1)
    .where("at", "<", before)
    .orderBy("at")
    .limit(limit)
    .execute();
  for (const { at, project } of rows) {
    await db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom("visit_top")
        .select("tops")
        .where("at", "=", at)
        .where("project", "=", project)
        .executeTakeFirst();
      if (row === undefined) return;
      const tops = readTops(row.tops);
      for (const values of tops.values()) values.keep(keptValues);
      await tx
        .updateTable("visit_top")
        .set({ is_open: 0, tops: JSON.stringify(encodeTops(tops)) })
        .where("at", "=", at)
        .where("project", "=", project)
        .execute();
    });
    await others();
  }
}

/** Removes sums of steps of this length, and with the longest the tops, that begin before `before`. */
export async function deleteVisitsBefore(
  db: MetricDatabase,
  { stepSeconds, before }: { stepSeconds: number; before: number },
): Promise<void> {
  const ats = await db
    .selectFrom("visit_step")
    .select("at")
    .distinct()
    .where("step_seconds", "=", stepSeconds)
    .where("at", "<", before)
    .orderBy("at")
    .limit(rowsAtOnce)
    .execute();
  for (const { at } of ats) {
    await db.transaction().execute(async (tx) => {
      await tx
        .deleteFrom("visit_step")
        .where("step_seconds", "=", stepSeconds)
        .where("at", "=", at)
        .execute();
      if (stepSeconds === topStepSeconds) await tx.deleteFrom("visit_top").where("at", "=", at).execute();
    });
    await others();
  }
}

function startOf(at: number, stepSeconds: number): number {
  return Math.floor(at / stepSeconds) * stepSeconds;
}

function startsOf(counts: readonly NumberedCounts[], stepSeconds: number): number[] {
  return [...new Set(counts.map(({ at }) => startOf(at, stepSeconds)))];
}

function projectsOf(counts: readonly NumberedCounts[]): number[] {
  return [...new Set(counts.map(({ project }) => project))];
}

function readSums(text: string): VisitSums {
  return VisitSums.decode(JSON.parse(text) as EncodedVisitSums);
}

function readTops(text: string): VisitTops {
  return decodeTops(JSON.parse(text) as EncodedTops);
}
