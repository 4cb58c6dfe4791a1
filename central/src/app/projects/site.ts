/** Finds the site behind a subdomain for the gateway. */

import { statusOf, type ProjectStatus } from "@tijolo/protocol";
import { findProjectServedAt } from "../../store/tables/project.ts";
import type { ProjectsContext } from "./projects-context.ts";

export interface Site {
  projectId: string;
  hostId: string;
  status: ProjectStatus;
}

export async function findSite(app: ProjectsContext, subdomain: string): Promise<Site | undefined> {
  const row = await findProjectServedAt(app.db, subdomain);
  if (row === undefined) return undefined;
  return { projectId: row.id, hostId: row.hostId, status: statusOf(row, row.observed) };
}
