/** Holds the SQL of projects and their placements. */

import {
  observedState,
  projectSettings,
  type DesiredRun,
  type ObservedState,
  type ProjectSettings,
} from "@tijolo/protocol";
import { z } from "zod";
import { reservedMemoryMb } from "./reserved-memory.ts";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface ProjectRow extends DesiredRun {
  id: string;
  accountId: string;
  name: string;
  description: string;
  settings: ProjectSettings;
  /** Settings that the current run was started with; null while none was. */
  runningSettings: ProjectSettings | null;
  /** A keyed hash of its variables (`Vault.fingerprint`); null while none were set. */
  variablesRevision: string | null;
  /** Tag as `configTagOf` returned it at the last request to run; null before the first. */
  startConfigTag: string | null;
  subdomain: string | null;
  /** Subdomain that visitors reach it by: the current run's, or `subdomain` while it is off. */
  servedSubdomain: string | null;
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
    .leftJoin("project_variables", "project_variables.project_id", "project.id")
    .selectAll("project")
    .select([
      "placement.host_id",
      "placement.generation",
      "placement.observed",
      "project_variables.revision as variables_revision",
    ]);

/** Returns a cached row, which callers must not modify: others may be given the same object. */
export function findProject(db: Reader, id: string): Promise<Readonly<ProjectRow> | undefined> {
  return db.cached(`project ${id}`, async () => {
    const row = await selectProject(db).where("project.id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : projectOfRow(row);
  });
}

export async function listProjects(db: Reader, accountId: string): Promise<ProjectRow[]> {
  const rows = await selectProject(db)
    .where("project.account_id", "=", accountId)
    .orderBy("project.id")
    .execute();
  return rows.map(projectOfRow);
}

/** Returns at most `limit` projects, those after this id. */
export async function listProjectsAfter(
  db: Reader,
  accountId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ProjectRow[]> {
  let query = selectProject(db).where("project.account_id", "=", accountId);
  if (after !== undefined) query = query.where("project.id", ">", after);
  const rows = await query.orderBy("project.id").limit(limit).execute();
  return rows.map(projectOfRow);
}

/** Returns the projects placed on a host. */
export async function listProjectsOfHost(db: Reader, hostId: string): Promise<ProjectRow[]> {
  const rows = await selectProject(db)
    .where("placement.host_id", "=", hostId)
    .orderBy("project.id")
    .execute();
  return rows.map(projectOfRow);
}

/** Returns the projects that are on although the grace of their account's suspension is over. */
export async function listOverdueProjects(db: Reader, now: number, limit: number): Promise<ProjectRow[]> {
  const rows = await selectProject(db)
    .innerJoin("account", "account.id", "project.account_id")
    .where("account.stops_at", "<=", now)
    .where("project.run", "=", "on")
    .orderBy("project.id")
    .limit(limit)
    .execute();
  return rows.map(projectOfRow);
}

/** Returns the ids of the projects that will be served, or still are, under this subdomain. */
export async function listSubdomainHolders(db: Reader, subdomain: string): Promise<string[]> {
  const rows = await db
    .selectFrom("project")
    .select("id")
    .where((where) =>
      where.or([where("subdomain", "=", subdomain), where("served_subdomain", "=", subdomain)]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the project that visitors reach under this subdomain. */
export async function findProjectServedAt(
  db: Reader,
  subdomain: string,
): Promise<Readonly<ProjectRow> | undefined> {
  const served = await db.cached(`subdomain ${subdomain}`, () =>
    db.selectFrom("project").select("id").where("served_subdomain", "=", subdomain).executeTakeFirst(),
  );
  return served === undefined ? undefined : findProject(db, served.id);
}

export async function insertProject(
  tx: Transaction,
  project: Omit<ProjectRow, "observed" | "runningSettings" | "variablesRevision">,
): Promise<void> {
  await tx
    .insertInto("project")
    .values({
      id: project.id,
      account_id: project.accountId,
      name: project.name,
      description: project.description,
      ...settingsColumns(project.settings),
      running_settings: null,
      running_memory_mb: null,
      subdomain: project.subdomain,
      served_subdomain: project.servedSubdomain,
      run: project.run,
      restart_count: project.restartCount,
      start_config_tag: project.startConfigTag,
      version_number: project.versionNumber,
      created_at: project.createdAt,
      updated_at: project.updatedAt,
    })
    .execute();
  await tx
    .insertInto("placement")
    .values({
      project_id: project.id,
      host_id: project.hostId,
      generation: project.generation,
      observed: null,
      reserved_memory_mb: project.settings.memoryMb,
      revision: 1,
      wanted_revision: 0,
    })
    .execute();
  tx.wake(`projects:${project.accountId}`);
  if (project.subdomain !== null) tx.wake("sites");
}

/** Fields that a person's action changes; fields left out stay. */
export interface ProjectChange extends Partial<DesiredRun> {
  name?: string;
  description?: string;
  settings?: ProjectSettings;
  runningSettings?: ProjectSettings;
  startConfigTag?: string;
  subdomain?: string | null;
  servedSubdomain?: string | null;
}

export async function updateProject(
  tx: Transaction,
  id: string,
  change: ProjectChange,
  updatedAt: number,
): Promise<void> {
  const { settings, runningSettings, restartCount, startConfigTag, servedSubdomain, versionNumber, ...same } =
    change;
  const columns = {
    ...same,
    ...(settings === undefined ? {} : settingsColumns(settings)),
    ...(runningSettings === undefined
      ? {}
      : { running_settings: JSON.stringify(runningSettings), running_memory_mb: runningSettings.memoryMb }),
    ...(restartCount === undefined ? {} : { restart_count: restartCount }),
    ...(startConfigTag === undefined ? {} : { start_config_tag: startConfigTag }),
    ...(servedSubdomain === undefined ? {} : { served_subdomain: servedSubdomain }),
    ...(versionNumber === undefined ? {} : { version_number: versionNumber }),
    updated_at: updatedAt,
  };
  await tx.updateTable("project").set(columns).where("id", "=", id).execute();
  tx.wake(`project:${id}`);
  if (change.subdomain !== undefined || servedSubdomain !== undefined) tx.wake("sites");
  const told = [
    change.run,
    settings,
    runningSettings,
    restartCount,
    versionNumber,
    change.subdomain,
    change.name,
    change.description,
  ];
  if (told.some((field) => field !== undefined)) await raiseProjectRevision(tx, id);
}

/**
 * Must be called, by {@link updateProject} or beside it, with each change of what is wanted of the project. A
 * change that wakes no host, such as a new name, is marked for the next one that does.
 */
export async function raiseProjectRevision(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable("placement")
    .set((update) => ({
      reserved_memory_mb: update
        .selectFrom("project")
        .select(reservedMemoryMb.as("reserved"))
        .where("project.id", "=", id)
        .$asScalar(),
      revision: update("revision", "+", 1),
      wanted_revision: update
        .selectFrom("host")
        .select((select) => select("desired_revision", "+", 1).as("next"))
        .whereRef("host.id", "=", "placement.host_id")
        .$asScalar(),
    }))
    .where("project_id", "=", id)
    .execute();
}

export async function deleteProject(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom("project").where("id", "=", id).execute();
  tx.wake(`project:${id}`);
  tx.wake("sites");
  tx.wake("domains");
}

/** The place and state of a project, as the link counts it. */
export interface Placement {
  projectId: string;
  hostId: string;
  generation: number;
  revision: number;
  versionNumber: number;
  observed: ObservedState | null;
}

/** Returns the placements of a host, or of the given projects; an id without a project is left out. */
export async function listPlacements(
  db: Reader,
  where: { hostId: string } | { projectIds: readonly string[] },
): Promise<Placement[]> {
  if ("projectIds" in where && where.projectIds.length === 0) return [];
  const all = db
    .selectFrom("placement")
    .innerJoin("project", "project.id", "placement.project_id")
    .select([
      "placement.project_id",
      "placement.host_id",
      "placement.generation",
      "placement.revision",
      "placement.observed",
    ])
    .select("project.version_number");
  const asked =
    "hostId" in where
      ? all.where("placement.host_id", "=", where.hostId)
      : all.where("project.id", "in", where.projectIds);
  return (await asked.execute()).map((row) => ({
    projectId: row.project_id,
    hostId: row.host_id,
    generation: row.generation,
    revision: row.revision,
    versionNumber: row.version_number,
    observed: row.observed === null ? null : parseObserved(row.observed),
  }));
}

export async function savePlacement(
  tx: Transaction,
  { projectId, hostId, generation, revision, observed }: Omit<Placement, "versionNumber">,
): Promise<void> {
  await tx
    .updateTable("placement")
    .set({
      host_id: hostId,
      generation,
      revision,
      observed: observed === null ? null : JSON.stringify(observed),
    })
    .where("project_id", "=", projectId)
    .execute();
  tx.wake(`project:${projectId}`);
}

/** Stores what the host observed; null: it has nothing of the project any more. */
export async function saveObserved(
  tx: Transaction,
  projectId: string,
  observed: ObservedState | null,
): Promise<void> {
  await tx
    .updateTable("placement")
    .set({ observed: observed === null ? null : JSON.stringify(observed) })
    .where("project_id", "=", projectId)
    .execute();
  tx.wake(`project:${projectId}`);
}

export const runState = z.enum(["on", "off"]);

function settingsColumns(
  settings: ProjectSettings,
): Pick<Schema["project"], "settings" | "type" | "memory_mb"> {
  return { settings: JSON.stringify(settings), type: settings.type, memory_mb: settings.memoryMb };
}

function projectOfRow(
  row: Schema["project"] &
    Pick<Schema["placement"], "host_id" | "generation" | "observed"> & { variables_revision: string | null },
): ProjectRow {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    settings: parseSettings(row.settings),
    runningSettings: row.running_settings === null ? null : parseSettings(row.running_settings),
    variablesRevision: row.variables_revision,
    startConfigTag: row.start_config_tag,
    subdomain: row.subdomain,
    servedSubdomain: row.served_subdomain,
    run: runState.parse(row.run),
    restartCount: row.restart_count,
    versionNumber: row.version_number,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    hostId: row.host_id,
    generation: row.generation,
    observed: row.observed === null ? null : parseObserved(row.observed),
  };
}

/** Reads a stored state. One that breaks the present rules for hosts' reports is read as null: unknown. */
export function parseObserved(text: string): ObservedState | null {
  return observedState.safeParse(JSON.parse(text)).data ?? null;
}

export function parseSettings(text: string): ProjectSettings {
  return projectSettings.parse(JSON.parse(text));
}
