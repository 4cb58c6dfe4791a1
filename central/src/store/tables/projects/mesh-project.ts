/** Holds the SQL of what the mesh knows of projects: whose they are, where they run, and their addresses. */

import type { Reader } from "../../store.ts";
import { parseObserved } from "./project.ts";

export interface MeshProjectRow {
  projectId: string;
  accountId: string;
  hostId: string;
  /** Address as its host reports it, while a process of the project runs. */
  address: string | null;
  /** True for a site, which gateways reach. */
  isSite: boolean;
}

/** Returns all projects, or the given ones; an id without a project is left out. */
export async function listMeshProjects(
  db: Reader,
  projectIds: readonly string[] | null,
): Promise<MeshProjectRow[]> {
  if (projectIds?.length === 0) return [];
  let query = db
    .selectFrom("project")
    .innerJoin("placement", "placement.project_id", "project.id")
    .select(["project.id", "project.account_id", "project.type", "placement.host_id", "placement.observed"])
    .orderBy("project.id");
  if (projectIds !== null) query = query.where("project.id", "in", projectIds);
  return (await query.execute()).map((row) => ({
    projectId: row.id,
    accountId: row.account_id,
    hostId: row.host_id,
    address: row.observed === null ? null : (parseObserved(row.observed)?.meshAddress ?? null),
    isSite: row.type === "site",
  }));
}
