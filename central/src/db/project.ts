/** SQL of projects, their placements, versions and exits. */

import {
  observedState,
  projectSettings,
  type Assignment,
  type DesiredRun,
  type LastExit,
  type ObservedState,
  type ProjectSettings,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Database, Reader, Schema, Transaction } from "./schema.ts";

export interface ProjectRow extends DesiredRun {
  id: string;
  accountId: string;
  name: string;
  description: string;
  settings: ProjectSettings;
  /** What the current run was started with; null while none was. */
  runningSettings: ProjectSettings | null;
  subdomain: string | null;
  createdAt: number;
  updatedAt: number;
  hostId: string;
  generation: number;
  observed: ObservedState | null;
}

const selectProject = (db: Reader) =>
  db
    .selectFrom("project")
    .innerJoin("placement", "placement.project_id", "project.id")
    .selectAll("project")
    .select(["placement.host_id", "placement.generation", "placement.observed"]);

export async function findProject(db: Reader, id: string): Promise<ProjectRow | undefined> {
  const row = await selectProject(db).where("project.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : projectOfRow(row);
}

/** As of the last commit; the same object for all who ask, so not to be changed. */
export function findRecentProject(db: Database, id: string): Promise<Readonly<ProjectRow> | undefined> {
  return db.recent.find(`project ${id}`, () => findProject(db, id));
}

export async function listProjects(db: Reader, accountId: string): Promise<ProjectRow[]> {
  const rows = await selectProject(db).where("project.account_id", "=", accountId).orderBy("project.id").execute();
  return rows.map(projectOfRow);
}

export async function findProjectBySubdomain(db: Reader, subdomain: string): Promise<ProjectRow | undefined> {
  const row = await selectProject(db).where("project.subdomain", "=", subdomain).executeTakeFirst();
  return row === undefined ? undefined : projectOfRow(row);
}

/** As {@link findRecentProject}: it runs on each visit of a site. */
export function findRecentProjectBySubdomain(db: Database, subdomain: string): Promise<Readonly<ProjectRow> | undefined> {
  return db.recent.find(`subdomain ${subdomain}`, () => findProjectBySubdomain(db, subdomain));
}

export async function insertProject(tx: Transaction, project: Omit<ProjectRow, "observed" | "runningSettings">): Promise<void> {
  await tx
    .insertInto("project")
    .values({
      id: project.id,
      account_id: project.accountId,
      name: project.name,
      description: project.description,
      ...settingsColumns(project.settings),
      running_settings: null,
      subdomain: project.subdomain,
      run: project.run,
      restart_count: project.restartCount,
      version_number: project.versionNumber,
      created_at: project.createdAt,
      updated_at: project.updatedAt,
    })
    .execute();
  await tx
    .insertInto("placement")
    .values({ project_id: project.id, host_id: project.hostId, generation: project.generation, observed: null })
    .execute();
}

/** Fields that a person's action changes; what is left out stays. */
export interface ProjectChange extends Partial<DesiredRun> {
  name?: string;
  description?: string;
  settings?: ProjectSettings;
  runningSettings?: ProjectSettings;
  subdomain?: string | null;
}

export async function updateProject(tx: Transaction, id: string, change: ProjectChange, updatedAt: number): Promise<void> {
  const { settings, runningSettings, restartCount, versionNumber, ...same } = change;
  await tx
    .updateTable("project")
    .set({
      ...same,
      ...(settings === undefined ? {} : settingsColumns(settings)),
      ...(runningSettings === undefined ? {} : { running_settings: JSON.stringify(runningSettings) }),
      ...(restartCount === undefined ? {} : { restart_count: restartCount }),
      ...(versionNumber === undefined ? {} : { version_number: versionNumber }),
      updated_at: updatedAt,
    })
    .where("id", "=", id)
    .execute();
}

export async function deleteProject(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom("project").where("id", "=", id).execute();
}

export async function saveObserved(tx: Transaction, projectId: string, observed: ObservedState): Promise<void> {
  await tx
    .updateTable("placement")
    .set({ observed: JSON.stringify(observed) })
    .where("project_id", "=", projectId)
    .execute();
}

export async function insertVersion(
  tx: Transaction,
  version: { projectId: string; number: number; sha256: string; sizeBytes: number; createdAt: number },
): Promise<void> {
  await tx
    .insertInto("version")
    .values({
      project_id: version.projectId,
      number: version.number,
      archive_sha256: version.sha256,
      size_bytes: version.sizeBytes,
      created_at: version.createdAt,
    })
    .execute();
}

/** Versions below `keepFrom` are forgotten; their archives go when nothing names them any more. */
export async function deleteVersionsBelow(tx: Transaction, projectId: string, keepFrom: number): Promise<void> {
  await tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "<", keepFrom).execute();
}

export async function isArchiveUsed(db: Reader, sha256: string): Promise<boolean> {
  return (await db.selectFrom("version").select("number").where("archive_sha256", "=", sha256).limit(1).executeTakeFirst()) !== undefined;
}

/** The archive, when a current placement of this host needs it. */
export async function findArchiveOfHost(db: Reader, hostId: string, sha256: string): Promise<{ sizeBytes: number } | undefined> {
  const row = await db
    .selectFrom("placement")
    .innerJoin("version", "version.project_id", "placement.project_id")
    .select("version.size_bytes")
    .where("placement.host_id", "=", hostId)
    .where("version.archive_sha256", "=", sha256)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { sizeBytes: row.size_bytes };
}

/** What is wanted of a host, without what follows from the account's plan. */
export async function listAssignments(
  db: Reader,
  hostId: string,
): Promise<(Omit<Assignment, "hasAutoRestart" | "diskMb"> & { plan: string })[]> {
  const rows = await db
    .selectFrom("placement")
    .innerJoin("project", "project.id", "placement.project_id")
    .innerJoin("account", "account.id", "project.account_id")
    .innerJoin("version", (join) =>
      join.onRef("version.project_id", "=", "project.id").onRef("version.number", "=", "project.version_number"),
    )
    .selectAll("project")
    .select(["placement.generation", "version.archive_sha256", "version.size_bytes", "account.plan"])
    .where("placement.host_id", "=", hostId)
    .orderBy("project.id")
    .execute();
  return rows.map((row) => ({
    projectId: row.id,
    accountId: row.account_id,
    generation: row.generation,
    run: runState.parse(row.run),
    restartCount: row.restart_count,
    versionNumber: row.version_number,
    archive: { sha256: row.archive_sha256, sizeBytes: row.size_bytes },
    settings: projectSettings.parse(JSON.parse(row.settings)),
    plan: row.plan,
  }));
}

export async function insertExit(
  tx: Transaction,
  entry: { projectId: string; hostId: string; sequence: number; runNumber: number; exit: LastExit; isCrash: boolean },
): Promise<void> {
  await tx
    .insertInto("project_exit")
    .values({
      project_id: entry.projectId,
      host_id: entry.hostId,
      sequence: entry.sequence,
      run_number: entry.runNumber,
      code: entry.exit.code,
      is_out_of_memory: entry.exit.isOutOfMemory ? 1 : 0,
      is_crash: entry.isCrash ? 1 : 0,
      exited_at: Date.parse(entry.exit.exitedAt),
    })
    .execute();
}

const runState = z.enum(["on", "off"]);

function settingsColumns(settings: ProjectSettings): Pick<Schema["project"], "settings" | "type" | "memory_mb"> {
  return { settings: JSON.stringify(settings), type: settings.type, memory_mb: settings.memoryMb };
}

function projectOfRow(row: Schema["project"] & Omit<Schema["placement"], "project_id">): ProjectRow {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    settings: parseSettings(row.settings),
    runningSettings: row.running_settings === null ? null : parseSettings(row.running_settings),
    subdomain: row.subdomain,
    run: runState.parse(row.run),
    restartCount: row.restart_count,
    versionNumber: row.version_number,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    hostId: row.host_id,
    generation: row.generation,
    observed: row.observed === null ? null : observedState.parse(JSON.parse(row.observed)),
  };
}

function parseSettings(text: string): ProjectSettings {
  return projectSettings.parse(JSON.parse(text));
}
