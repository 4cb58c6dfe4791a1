/** Holds the SQL of the versions of projects. */

import {
  actorKinds,
  ownerMessages,
  projectErrorCode,
  versionTrigger,
  type ActorKind,
  type OwnerMessage,
  type ProjectErrorCode,
  type ProjectSettings,
  type VersionTrigger,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";
import { parseSettings } from "./project.ts";

const actorKind = z.enum(actorKinds);

export interface NewVersion {
  projectId: string;
  number: number;
  sha256: string;
  sizeBytes: number;
  trigger: VersionTrigger;
  by: { kind: ActorKind; name: string };
  /** Settings that it is installed and started by. */
  settings: ProjectSettings;
  rolledBackFrom: number | null;
  createdAt: number;
}

/** Result of installing and starting a version. */
export interface VersionOutcome {
  /** Time when it was ready or failed; null until then. */
  finishedAt: number | null;
  /** Time when it came up for the first time. */
  cameUpAt: number | null;
  /** Reason why its install failed, or why it did not come up. */
  error: { code: ProjectErrorCode; details: readonly OwnerMessage[] } | null;
}

export type VersionRow = Omit<NewVersion, "settings"> & VersionOutcome;

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
      rolled_back_from: version.rolledBackFrom,
      settings: JSON.stringify(version.settings),
      created_at: version.createdAt,
    })
    .execute();
}

/** Returns the versions of a project, the newest first. */
export async function listVersions(db: Reader, projectId: string): Promise<VersionRow[]> {
  const rows = db.selectFrom("version").selectAll().where("project_id", "=", projectId);
  return (await rows.orderBy("number", "desc").execute()).map(versionOfRow);
}

/** Returns the version; `settings` is null for one from before they were kept. */
export async function findVersion(
  db: Reader,
  projectId: string,
  number: number,
): Promise<(VersionRow & { settings: ProjectSettings | null }) | undefined> {
  const row = await db
    .selectFrom("version")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { ...versionOfRow(row), settings: row.settings === null ? null : parseSettings(row.settings) };
}

/** Saves the outcome of a version; with `finishedAt` null it is being prepared, again or still. */
export async function saveVersionOutcome(
  tx: Transaction,
  { projectId, number }: Pick<VersionRow, "projectId" | "number">,
  { finishedAt, cameUpAt, error }: VersionOutcome,
): Promise<void> {
  await tx
    .updateTable("version")
    .set({
      finished_at: finishedAt,
      came_up_at: cameUpAt,
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

/**
 * Deletes the versions below `keepFrom`, but not those in `kept`; their archives are removed when nothing
 * names them any more.
 */
export async function deleteVersionsBelow(
  tx: Transaction,
  projectId: string,
  { keepFrom, kept }: { keepFrom: number; kept: readonly number[] },
): Promise<void> {
  let query = tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "<", keepFrom);
  if (kept.length > 0) query = query.where("number", "not in", kept);
  await query.execute();
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
    by: { kind: actorKind.parse(row.by_kind), name: row.by_name },
    rolledBackFrom: row.rolled_back_from,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    cameUpAt: row.came_up_at,
    error:
      row.error_code === null
        ? null
        : {
            code: projectErrorCode.parse(row.error_code),
            details: ownerMessages.parse(JSON.parse(row.error_details ?? "[]")),
          },
  };
}
