/** A project's usage with the limits of its run, as its owner's chart shows it. */

import {
  cpuCeilingPercent,
  planName,
  type AccountMetrics,
  type MetricRange,
  type Metrics,
  type ProjectSettings,
  type SparklineRange,
} from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { findHost } from "../../store/tables/hosts/host.ts";
import { listProjectIds } from "../../store/tables/projects/project-places.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { planOf } from "../accounts/plan-of.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { readAccountMetrics } from "../metrics/account-metric.ts";
import { readMetrics } from "../metrics/metric.ts";
import { getOwned } from "./project.ts";

/** Returns the usage of all projects of the account, a few points each. */
export async function getAccountMetrics(
  app: ProjectsContext,
  account: AccountRow,
  range: SparklineRange,
): Promise<AccountMetrics> {
  return readAccountMetrics(app, await listProjectIds(app.db, account.id), range);
}

export async function getMetrics(
  app: ProjectsContext,
  account: AccountRow,
  id: string,
  range: MetricRange,
): Promise<Metrics> {
  const row = await getOwned(app.db, account, id);
  const { diskMbPerProject: diskLimitMb } = planOf(app, planName.parse(account.plan));
  const { memoryMb: memoryLimitMb, language } = settingsOfRun(row);
  const cpuCount = (await findHost(app.db, row.hostId))?.resources?.cpuCount;
  const cpuLimitPercent =
    language === "static" || cpuCount === undefined ? null : cpuCeilingPercent(memoryLimitMb, cpuCount);
  return { memoryLimitMb, cpuLimitPercent, diskLimitMb, ...(await readMetrics(app, id, range)) };
}

/** Returns the settings of the current run; changed ones are pending until the next start. */
function settingsOfRun({
  run,
  settings,
  runningSettings,
}: Pick<ProjectRow, "run" | "settings" | "runningSettings">): ProjectSettings {
  return run === "on" && runningSettings !== null ? runningSettings : settings;
}
