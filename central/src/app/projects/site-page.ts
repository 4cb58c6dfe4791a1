/** Shows, takes and removes the pages of its own that a site shows where nothing of it answers. */

import { AppError, type SitePage, type SitePageContent, type SitePageStatus } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { transact, type Transaction } from "../../store/store.ts";
import * as table from "../../store/tables/projects/site-page.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Principal } from "../identity/caller.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { getOwned } from "./project.ts";

export async function listSitePages(
  app: ProjectsContext,
  { account }: Pick<Principal, "account">,
  projectId: string,
): Promise<SitePage[]> {
  await getOwned(app.db, account, projectId);
  return (await table.listSitePages(app.db, projectId)).map(pageOf);
}

/** Throws `not_found` where the site has no page of its own. */
export async function getSitePage(
  app: ProjectsContext,
  { account }: Pick<Principal, "account">,
  projectId: string,
  status: SitePageStatus,
): Promise<SitePageContent> {
  await getOwned(app.db, account, projectId);
  const row = await table.findSitePage(app.db, projectId, status);
  if (row === undefined) throw noSuchPage(status);
  return { ...pageOf(row), html: row.html };
}

/** Takes the page in the place of the one before. */
export async function setSitePage(
  app: ProjectsContext,
  principal: Principal,
  projectId: string,
  { status, html }: { status: SitePageStatus; html: string },
): Promise<SitePage> {
  const row = { status, sizeBytes: Buffer.byteLength(html), updatedAt: app.clock.now() };
  await change(app, principal, projectId, { status, after: row }, (tx) =>
    table.saveSitePage(tx, { ...row, projectId, html }),
  );
  return pageOf(row);
}

/** Throws `not_found` where the site has no page of its own. */
export async function removeSitePage(
  app: ProjectsContext,
  principal: Principal,
  projectId: string,
  status: SitePageStatus,
): Promise<void> {
  await change(app, principal, projectId, { status, after: undefined }, (tx, before) => {
    if (before === undefined) throw noSuchPage(status);
    return table.deleteSitePage(tx, projectId, status);
  });
}

/** Finds what a visitor is shown in the place of the service's page; undefined where that is shown. */
export async function findOwnPage(
  { db }: Pick<ProjectsContext, "db">,
  projectId: string,
  status: SitePageStatus,
): Promise<string | undefined> {
  return (await table.findSitePage(db, projectId, status))?.html;
}

function noSuchPage(status: SitePageStatus): AppError {
  return new AppError("not_found", { detail: refusalDetails.noSitePage(status) });
}

/** Carries a change out, with its entry in the account's activity: the sizes, not the HTML. */
async function change(
  app: ProjectsContext,
  { account, actor }: Principal,
  projectId: string,
  { status, after }: { status: SitePageStatus; after: table.SitePageRow | undefined },
  work: (tx: Transaction, before: table.SitePageRow | undefined) => Promise<void>,
): Promise<void> {
  await transact(app.db, async (tx) => {
    const project = await getOwned(tx, account, projectId);
    const before = await table.findSitePage(tx, projectId, status);
    await work(tx, before);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "project.site_page",
      project,
      before: { page: status, sizeBytes: before?.sizeBytes ?? null },
      after: { page: status, sizeBytes: after?.sizeBytes ?? null },
    });
  });
}

function pageOf({ status, sizeBytes, updatedAt }: table.SitePageRow): SitePage {
  return { status, sizeBytes, updatedAt: new Date(updatedAt).toISOString() };
}
