/** Holds the SQL of what hosts must have and run. */

import type { Assignment, DeployMode } from "@tijolo/protocol";
import type { InferResult } from "kysely";
import { parseSettings, runState } from "../projects/project.ts";
import { parseSiteSettings } from "../projects/site-settings.ts";
import type { Reader } from "../../store.ts";

/** The desired state of one project on its host, as it is stored. */
export interface AssignmentRow extends Omit<
  Assignment,
  | "hasAutoRestart"
  | "diskMb"
  | "configTag"
  | "variables"
  | "project"
  | "proof"
  | "health"
  | "drainSeconds"
  | "deploy"
> {
  plan: string;
  project: NonNullable<Assignment["project"]>;
  /** Null where the site's owner has chosen none. */
  healthPath: string | null;
  drainSeconds: number | null;
  deploy: DeployMode;
  /** Variables; null when there are none. */
  variables: { revision: string; keyId: string } | null;
}

/** Choice of a host's projects; null stands for all. */
export type AssignmentChoice =
  | { projectIds: readonly string[] }
  /** Selects the assignments that changed after `revision`, and those that were withheld then. */
  | { revision: number; withheld: readonly string[] }
  | null;

/** Returns the desired state of a host's projects. */
export async function listAssignments(
  db: Reader,
  hostId: string,
  which: AssignmentChoice,
): Promise<AssignmentRow[]> {
  if (which !== null && "projectIds" in which && which.projectIds.length === 0) return [];
  let query = selectPlaced(db, hostId);
  if (which !== null && "projectIds" in which) query = query.where("project.id", "in", which.projectIds);
  else if (which !== null)
    query = query.where((where) =>
      where.or([
        where("placement.wanted_revision", ">", which.revision),
        ...(which.withheld.length === 0 ? [] : [where("project.id", "in", which.withheld)]),
      ]),
    );
  const rows = await query.orderBy("project.id").execute();
  return rows.map(assignmentOfRow);
}

const selectPlaced = (db: Reader, hostId: string) =>
  db
    .selectFrom("placement")
    .innerJoin("project", "project.id", "placement.project_id")
    .innerJoin("account", "account.id", "project.account_id")
    .innerJoin("version", (join) =>
      join
        .onRef("version.project_id", "=", "project.id")
        .onRef("version.number", "=", "project.version_number"),
    )
    .leftJoin("site_settings", "site_settings.project_id", "project.id")
    .leftJoin("project_variables", "project_variables.project_id", "project.id")
    .selectAll("project")
    .select([
      "placement.generation",
      "placement.revision as project_revision",
      "version.archive_sha256",
      "version.size_bytes",
      "account.plan",
      "site_settings.settings as site_settings",
    ])
    .select(["project_variables.revision", "project_variables.key_id"])
    .where("placement.host_id", "=", hostId);

type PlacedRow = InferResult<ReturnType<typeof selectPlaced>>[number];

function assignmentOfRow(row: PlacedRow): AssignmentRow {
  const { healthPath, drainSeconds, deploy } = parseSiteSettings(row.site_settings);
  return {
    projectId: row.id,
    accountId: row.account_id,
    generation: row.generation,
    run: runState.parse(row.run),
    restartCount: row.restart_count,
    versionNumber: row.version_number,
    archive: { sha256: row.archive_sha256, sizeBytes: row.size_bytes },
    settings: parseSettings(row.settings),
    plan: row.plan,
    project: {
      revision: row.project_revision,
      name: row.name,
      description: row.description,
      subdomain: row.subdomain,
      createdAt: new Date(row.created_at).toISOString(),
    },
    healthPath,
    drainSeconds,
    deploy,
    variables:
      row.revision === null || row.key_id === null ? null : { revision: row.revision, keyId: row.key_id },
  };
}

/** Returns the archive, when a current placement of this host needs it. */
export async function findArchiveOfHost(
  db: Reader,
  hostId: string,
  sha256: string,
): Promise<{ sizeBytes: number } | undefined> {
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
