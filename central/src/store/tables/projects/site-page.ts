/** Holds the SQL of the pages of its own that a site shows where nothing of it answers. */

import { sitePageStatus, type SitePageStatus } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

export interface SitePageRow {
  status: SitePageStatus;
  sizeBytes: number;
  updatedAt: number;
}

/** Lists a project's pages without their HTML. */
export async function listSitePages(db: Reader, projectId: string): Promise<SitePageRow[]> {
  const rows = await db
    .selectFrom("site_page")
    .select(["status", "size_bytes", "updated_at"])
    .where("project_id", "=", projectId)
    .orderBy("status")
    .execute();
  return rows.map(rowOf);
}

export async function findSitePage(
  db: Reader,
  projectId: string,
  status: SitePageStatus,
): Promise<(SitePageRow & { html: string }) | undefined> {
  const row = await db
    .selectFrom("site_page")
    .select(["status", "size_bytes", "updated_at", "html"])
    .where("project_id", "=", projectId)
    .where("status", "=", status)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...rowOf(row), html: row.html };
}

export async function saveSitePage(
  tx: Transaction,
  page: SitePageRow & { projectId: string; html: string },
): Promise<void> {
  const { projectId, status, html, sizeBytes, updatedAt } = page;
  const columns = { html, size_bytes: sizeBytes, updated_at: updatedAt };
  await tx
    .insertInto("site_page")
    .values({ project_id: projectId, status, ...columns })
    .onConflict((conflict) => conflict.columns(["project_id", "status"]).doUpdateSet(columns))
    .execute();
  tx.wake(`project:${projectId}`);
}

export async function deleteSitePage(
  tx: Transaction,
  projectId: string,
  status: SitePageStatus,
): Promise<void> {
  await tx.deleteFrom("site_page").where("project_id", "=", projectId).where("status", "=", status).execute();
  tx.wake(`project:${projectId}`);
}

function rowOf(row: { status: string; size_bytes: number; updated_at: number }): SitePageRow {
  return {
    status: sitePageStatus.parse(row.status),
    sizeBytes: row.size_bytes,
    updatedAt: row.updated_at,
  };
}
