/** Holds the SQL of what visitors reach: the sites with a subdomain, their hosts, and what those observed. */

import type { DesiredRun, ObservedState, SiteSettings } from "@tijolo/protocol";
import type { Reader } from "../../store.ts";
import { parseObserved, runState } from "./project.ts";
import { parseSiteSettings } from "./site-settings.ts";

export interface ServedSite extends DesiredRun {
  projectId: string;
  subdomain: string;
  observed: ObservedState | null;
  hostId: string;
  /** Where the site's host runs; null while that is not known, and of a host that was revoked. */
  machine: string | null;
  settings: SiteSettings;
  /** True where the site has a page of its own for a file that it has not. */
  hasMissingPage: boolean;
}

/** Returns all served sites, or those of the given projects. */
export async function listServedSites(
  db: Reader,
  projectIds: readonly string[] | null,
): Promise<ServedSite[]> {
  if (projectIds?.length === 0) return [];
  let query = db
    .selectFrom("project")
    .innerJoin("placement", "placement.project_id", "project.id")
    .innerJoin("host", "host.id", "placement.host_id")
    .leftJoin("site_settings", "site_settings.project_id", "project.id")
    .leftJoin("site_page", (join) =>
      join.onRef("site_page.project_id", "=", "project.id").on("site_page.status", "=", "404"),
    )
    .select([
      "site_page.status as missing_page",
      "project.id",
      "project.served_subdomain",
      "project.run",
      "project.restart_count",
      "project.version_number",
      "placement.observed",
      "placement.host_id",
      "host.machine",
      "host.revoked_at",
      "site_settings.settings",
    ])
    .where("project.served_subdomain", "is not", null)
    .orderBy("project.id");
  if (projectIds !== null) query = query.where("project.id", "in", projectIds);
  return (await query.execute()).map((row) => ({
    projectId: row.id,
    subdomain: row.served_subdomain ?? "",
    run: runState.parse(row.run),
    restartCount: row.restart_count,
    versionNumber: row.version_number,
    observed: row.observed === null ? null : parseObserved(row.observed),
    hostId: row.host_id,
    machine: row.revoked_at === null ? row.machine : null,
    settings: parseSiteSettings(row.settings),
    hasMissingPage: row.missing_page !== null,
  }));
}
