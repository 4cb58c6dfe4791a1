/** Holds the SQL of the limits of projects, and of the shares of them that their owners were told of. */

import {
  limitedResources,
  planName,
  type LimitedResource,
  type NoticePercent,
  type PlanName,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

const limitedResource = z.enum(limitedResources);

export interface LimitedProjectRow {
  id: string;
  accountId: string;
  name: string;
  /** Memory that the current run was started with. */
  memoryMb: number;
  /** Plan that says how much disk there is. */
  plan: PlanName;
}

export interface NoticeLevelRow {
  projectId: string;
  resource: LimitedResource;
  /** Highest share that was reached; 0: below all shares. */
  percent: NoticePercent | 0;
}

/** Returns the projects placed on the host, with what limits them. */
export async function listLimitedProjects(db: Reader, hostId: string): Promise<LimitedProjectRow[]> {
  const rows = await db
    .selectFrom("placement")
    .innerJoin("project", "project.id", "placement.project_id")
    .innerJoin("account", "account.id", "project.account_id")
    .select([
      "project.id",
      "project.account_id",
      "project.name",
      "project.memory_mb",
      "project.running_memory_mb",
      "account.plan",
    ])
    .where("placement.host_id", "=", hostId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    memoryMb: row.running_memory_mb ?? row.memory_mb,
    plan: planName.parse(row.plan),
  }));
}

/** Returns the levels above 0 of the projects placed on the host. */
export async function listNoticeLevels(db: Reader, hostId: string): Promise<NoticeLevelRow[]> {
  const rows = await db
    .selectFrom("notice_level")
    .innerJoin("placement", "placement.project_id", "notice_level.project_id")
    .selectAll("notice_level")
    .where("placement.host_id", "=", hostId)
    .execute();
  return rows.map((row) => ({
    projectId: row.project_id,
    resource: limitedResource.parse(row.resource),
    percent: row.percent as NoticePercent,
  }));
}

/** Saves the level; one of 0 has no row. */
export async function saveNoticeLevel(
  tx: Transaction,
  { projectId, resource, percent }: NoticeLevelRow,
): Promise<void> {
  if (percent === 0) {
    await tx
      .deleteFrom("notice_level")
      .where("project_id", "=", projectId)
      .where("resource", "=", resource)
      .execute();
    return;
  }
  await tx
    .insertInto("notice_level")
    .values({ project_id: projectId, resource, percent })
    .onConflict((conflict) => conflict.columns(["project_id", "resource"]).doUpdateSet({ percent }))
    .execute();
}
