/** Makes notices of projects that come close to their limits of memory and disk. */

import {
  limitedResources,
  type LimitedResource,
  type NoticePercent,
  type UsageReport,
} from "@tijolo/protocol";
import { transact } from "../../store/store.ts";
import {
  listLimitedProjects,
  listNoticeLevels,
  saveNoticeLevel,
  type LimitedProjectRow,
} from "../../store/tables/notices/notice-level.ts";
import { planOf } from "../accounts/plan-of.ts";
import { limitLevel, percentOf } from "./limit-level.ts";
import { noteNotice } from "./note-notice.ts";
import type { NoticesContext, NotingContext } from "./notices-context.ts";

export type LimitNotingContext = NotingContext & Pick<NoticesContext, "db" | "plans" | "limitChecks">;

/**
 * Compares a report of usage with the limits, now and then. A host can report only about its own projects.
 */
export async function noteLimits(
  app: LimitNotingContext,
  hostId: string,
  report: UsageReport,
): Promise<void> {
  if (report.projects.length === 0 || !app.limitChecks.begin(hostId)) return;
  const projects = new Map((await listLimitedProjects(app.db, hostId)).map((row) => [row.id, row]));
  const levels = new Map(
    (await listNoticeLevels(app.db, hostId)).map((row) => [`${row.projectId} ${row.resource}`, row.percent]),
  );
  for (const sample of report.projects) {
    const project = projects.get(sample.projectId);
    if (project === undefined) continue;
    const limits = { memory: project.memoryMb, disk: planOf(app, project.plan).diskMbPerProject };
    const used = { memory: sample.memoryMb, disk: sample.diskMb };
    for (const resource of limitedResources) {
      const usedMb = used[resource];
      if (usedMb === null) continue;
      const before = levels.get(`${project.id} ${resource}`) ?? 0;
      const level = limitLevel(before, percentOf(usedMb, limits[resource]));
      if (level === before) continue;
      await saveLevel(app, project, { resource, limitMb: limits[resource], before, level });
    }
  }
}

async function saveLevel(
  app: LimitNotingContext,
  { id, name, accountId }: LimitedProjectRow,
  change: {
    resource: LimitedResource;
    limitMb: number;
    before: NoticePercent | 0;
    level: NoticePercent | 0;
  },
): Promise<void> {
  const { resource, limitMb, before, level } = change;
  await transact(app.db, async (tx) => {
    await saveNoticeLevel(tx, { projectId: id, resource, percent: level });
    if (level === 0 || level < before) return;
    await noteNotice(app, tx, {
      accountId,
      subject: `${id} ${resource} ${level}`,
      content: { kind: "limit", project: { id, name }, resource, percent: level, limitMb },
    });
  });
}
