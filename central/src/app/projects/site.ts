/** Finds the site behind a subdomain for the gateway. */

import { mayHaveRun, statusOf, type ProjectStatus } from "@tijolo/protocol";
import { findProjectServedAt } from "../../store/tables/projects/project.ts";
import type { ProjectsContext } from "./projects-context.ts";

export interface Site {
  projectId: string;
  hostId: string;
  /** Status that says why nothing of the site is up: `stopped` from the moment that a stop is accepted. */
  status: ProjectStatus;
  /** True when visits go to the host, which knows better than the status whether something answers them. */
  isRouted: boolean;
}

export async function findSite(app: ProjectsContext, subdomain: string): Promise<Site | undefined> {
  const row = await findProjectServedAt(app.db, subdomain);
  if (row === undefined) return undefined;
  const status = statusOf(row, row.observed);
  const isStopping = row.run === "off" && (status === "running" || status === "restarting");
  return {
    projectId: row.id,
    hostId: row.hostId,
    status: isStopping ? "stopped" : status,
    isRouted: mayHaveRun(row, row.observed),
  };
}
