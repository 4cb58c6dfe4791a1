/** Holds the SQL of what was uploaded to projects. */

import {
  actorKinds,
  ownerMessages,
  projectErrorCode,
  versionTrigger,
  type ActorKind,
  type OwnerMessage,
  type ProjectErrorCode,
  type VersionTrigger,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../store.ts";
import type { Schema } from "../schema.ts";

export interface NewVersion {
  projectId: string;
  number: number;
  sha256: string;
  sizeBytes: number;
  trigger: VersionTrigger;
  by: { kind: ActorKind; name: string };
  createdAt: number;
}

export interface VersionRow extends NewVersion {
  rolledBackFrom: number | null;
  /** Null until its install has ended. */
  finishedAt: number | null;
  /** Why its install failed. */
  error: { code: ProjectErrorCode; details: readonly OwnerMessage[] } | null;
}

export async function insertVersion(tx: Transaction, version: NewVersion): Promise<void> {
  await tx
    .insertInto("version")
    .values({
      project_id: version.projectId,
      number: version.number,
      archive_sha256: version.sha256,
      size_bytes: version.sizeBytes,
      trigger: version.trigger,
      by_kind: version.by.kind,
      by_name: version.by.name,
      created_at: version.createdAt,
    })
    .execute();
}

/** Returns the versions of a project, the newest first. */
export async function listVersions(db: Reader, projectId: string): Promise<VersionRow[]> {
  const rows = db.selectFrom("version").selectAll().where("project_id", "=", projectId);
  return (await rows.orderBy("number", "desc").execute()).map(versionOfRow);
}

/** Saves how an install ended; with both null it is under way again. */
export async function saveInstallEnd(
  tx: Transaction,
  { projectId, number, finishedAt, error }: Pick<VersionRow, "projectId" | "number" | "finishedAt" | "error">,
): Promise<void> {
  await tx
    .updateTable("version")
    .set({
      finished_at: finishedAt,
      error_code: error?.code ?? null,
      error_details: error === null ? null : JSON.stringify(error.details),
    })
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .execute();
}

/** Replaces the version by what its host reports, whatever was known under its number. */
export async function replaceVersion(tx: Transaction, version: NewVersion): Promise<void> {
  const { projectId, number } = version;
  await tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "=", number).execute();
  await insertVersion(tx, version);
}

/** Deletes the versions below `keepFrom`; their archives are removed when nothing names them any more. */
export async function deleteVersionsBelow(
  tx: Transaction,
  projectId: string,
  keepFrom: number,
): Promise<void> {
  await tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "<", keepFrom).execute();
}

export async function isArchiveUsed(db: Reader, sha256: string): Promise<boolean> {
  return (
    (await db
      .selectFrom("version")
      .select("number")
      .where("archive_sha256", "=", sha256)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

function versionOfRow(row: Schema["version"]): VersionRow {
  return {
    projectId: row.project_id,
    number: row.number,
    sha256: row.archive_sha256,
    sizeBytes: row.size_bytes,
    trigger: versionTrigger.parse(row.trigger),
    by: { kind: z.enum(actorKinds).parse(row.by_kind), name: row.by_name },
    rolledBackFrom: row.rolled_back_from,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    error:
      row.error_code === null
        ? null
        : {
            code: projectErrorCode.parse(row.error_code),
            details: ownerMessages.parse(JSON.parse(row.error_details ?? "[]")),
          },
  };
}
