/** Finds the site behind a subdomain, or behind a domain of its own, for the gateway. */

import { mayHaveRun, statusOf, type ProjectStatus } from "@tijolo/protocol";
import { findActiveHostname } from "../../store/tables/projects/domain.ts";
import { findProject, findProjectServedAt, type ProjectRow } from "../../store/tables/projects/project.ts";
import { findSiteSettings } from "../../store/tables/projects/site-settings.ts";
import type { Reader } from "../../store/store.ts";
import { isOwnSubdomain } from "../gateways/own-subdomain.ts";
import type { ProjectsContext } from "./projects-context.ts";

export interface Site {
  projectId: string;
  hostId: string;
  /** Status that says why nothing of the site is up: `stopped` from the moment that a stop is accepted. */
  status: ProjectStatus;
  /** True when visits go to the host, which knows better than the status whether something answers them. */
  isRouted: boolean;
  /** True while visitors see a page about maintenance instead. */
  isInMaintenance: boolean;
}

/** What stands behind an own domain: a site, or the name that its visits are sent to. */
export type DomainTarget = { site: Site } | { redirectTo: string };

export async function findSite(
  { db }: Pick<ProjectsContext, "db">,
  subdomain: string,
): Promise<Site | undefined> {
  const row = await findProjectServedAt(db, subdomain);
  return row === undefined ? undefined : siteOf(db, row);
}

/** Finds what an own domain leads to; one that was added by itself comes before `*.` and its parent. */
export async function findSiteOfDomain(
  { db, siteUrl }: Pick<ProjectsContext, "db" | "siteUrl">,
  hostname: string,
  siteDomain: string,
): Promise<DomainTarget | undefined> {
  const found =
    (await findActiveHostname(db, hostname)) ??
    (await findActiveHostname(db, hostname.replace(/^[^.]+/, "*")));
  if (found === undefined) return undefined;
  const { redirectTo } = found;
  const isOwn = isOwnSubdomain(redirectTo, siteDomain.toLowerCase());
  if (redirectTo !== null && !isOwn) return { redirectTo };
  const row = await findProject(db, found.projectId);
  if (row === undefined) return undefined;
  if (isOwn && row.servedSubdomain !== null)
    return { redirectTo: new URL(siteUrl(row.servedSubdomain)).hostname };
  return { site: await siteOf(db, row) };
}

async function siteOf(db: Reader, row: Readonly<ProjectRow>): Promise<Site> {
  const { maintenance } = await findSiteSettings(db, row.id);
  const status = statusOf(row, row.observed);
  const isStopping = row.run === "off" && (status === "running" || status === "restarting");
  return {
    projectId: row.id,
    hostId: row.hostId,
    status: isStopping ? "stopped" : status,
    isRouted: mayHaveRun(row, row.observed),
    isInMaintenance: maintenance,
  };
}
