/** Shows and replaces what holds for the visits to a site. */

import { AppError, defaultSiteSettings, withDefaultSiteSettings, type SiteSettings } from "@tijolo/protocol";
import { settingsDetails } from "@tijolo/protocol/texts/central";
import { transact } from "../../store/store.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { raiseProjectRevision, type ProjectRow } from "../../store/tables/projects/project.ts";
import { findSiteSettings, saveSiteSettings } from "../../store/tables/projects/site-settings.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Principal } from "../identity/caller.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { getOwned } from "./project.ts";

/** Settings that the project's host is told in its assignment. */
const toldToHost = ["healthPath", "drainSeconds", "deploy"] as const;

export async function getSiteSettings(
  app: ProjectsContext,
  { account }: Pick<Principal, "account">,
  projectId: string,
): Promise<SiteSettings> {
  await getOwned(app.db, account, projectId);
  return { ...(await findSiteSettings(app.db, projectId)) };
}

/**
 * Replaces all of them; what is left out has its default again. Throws `invalid_request` for what a static
 * site has no use for.
 */
export function setSiteSettings(
  app: ProjectsContext,
  { account, actor }: Principal,
  projectId: string,
  given: Parameters<typeof withDefaultSiteSettings>[0],
): Promise<SiteSettings> {
  const after = withDefaultSiteSettings(given);
  return transact(app.db, async (tx) => {
    const project = await getOwned(tx, account, projectId);
    const before = { ...(await findSiteSettings(tx, projectId)) };
    refuseOfProcess(project, { before, after });
    refuseUnaskable(after);
    await saveSiteSettings(tx, { projectId, settings: after, updatedAt: app.clock.now() });
    if (toldToHost.some((name) => after[name] !== before[name])) {
      await raiseProjectRevision(tx, projectId);
      await wantedChanged(tx, project.hostId, [projectId]);
    }
    const action = "project.site_settings";
    await recordActivity(app, tx, { accountId: account.id, actor, action, project, before, after });
    return after;
  });
}

/** Throws for a path that the host would ask for in vain: it asks over HTTP/1.1. */
function refuseUnaskable({ healthPath, protocol }: SiteSettings): void {
  if (healthPath === null || protocol === "http1") return;
  throw new AppError("invalid_request", {
    extra: { field: "healthPath" },
    detail: settingsDetails.http2HasNoHealthPath,
  });
}

/**
 * Throws when a static site, which has no process, is given a setting of one. What is stored from the time
 * before it became static may stay.
 */
function refuseOfProcess(
  { settings }: ProjectRow,
  { before, after }: Record<"before" | "after", SiteSettings>,
): void {
  if (settings.language !== "static") return;
  for (const field of ["healthPath", "drainSeconds", "protocol"] as const) {
    if (after[field] === defaultSiteSettings[field] || after[field] === before[field]) continue;
    throw new AppError("invalid_request", {
      extra: { field },
      detail: settingsDetails.staticHasNoProcess,
    });
  }
}
