/** Holds the SQL of the failures of projects. */

import {
  failureKinds,
  ownerMessages,
  projectErrorCode,
  type FailureKind,
  type OwnerMessage,
  type ProjectErrorCode,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

const failureKind = z.enum(failureKinds);

export interface ProjectEventRow {
  /** Id as `makeId` returns it for `at`. */
  id: string;
  projectId: string;
  at: number;
  kind: FailureKind;
  versionNumber: number;
  error: { code: ProjectErrorCode; details: readonly OwnerMessage[] };
}

export async function insertProjectEvent(tx: Transaction, event: ProjectEventRow): Promise<void> {
  await tx
    .insertInto("project_event")
    .values({
      id: event.id,
      project_id: event.projectId,
      at: event.at,
      kind: event.kind,
      version_number: event.versionNumber,
      error_code: event.error.code,
      error_details: JSON.stringify(event.error.details),
    })
    .execute();
}

/** Returns events, newest first; only those with a lower id than `before`, when given. */
export async function listProjectEvents(
  db: Reader,
  projectId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ProjectEventRow[]> {
  let query = db.selectFrom("project_event").selectAll().where("project_id", "=", projectId);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    at: row.at,
    kind: failureKind.parse(row.kind),
    versionNumber: row.version_number,
    error: {
      code: projectErrorCode.parse(row.error_code),
      details: ownerMessages.parse(JSON.parse(row.error_details)),
    },
  }));
}

/** Removes events below the id, at most `limit`; returns how many. */
export async function deleteProjectEventsBelow(
  tx: Transaction,
  below: string,
  limit: number,
): Promise<number> {
  const result = await tx
    .deleteFrom("project_event")
    .where("id", "in", (select) =>
      select.selectFrom("project_event").select("id").where("id", "<", below).orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
