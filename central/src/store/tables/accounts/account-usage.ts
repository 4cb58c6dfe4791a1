/** Holds the SQL of what accounts use of their plans: sums, never rows. */

import { sql } from "kysely";
import type { Reader } from "../../store.ts";
import { reservedMemoryMb } from "../projects/reserved-memory.ts";

export interface Usage {
  projects: number;
  sites: number;
  memoryMb: number;
}

export interface AccountUsage extends Usage {
  /** The part of the usage by projects that are on. */
  running: Usage;
}

/** Sums the usage of one account, leaving one project out when `exceptProjectId` names one. */
export async function sumUsage(
  db: Reader,
  accountId: string,
  exceptProjectId: string | null = null,
): Promise<AccountUsage> {
  let query = selectSums(db).where("project.account_id", "=", accountId);
  if (exceptProjectId !== null) query = query.where("project.id", "!=", exceptProjectId);
  return usageOfRow(await query.executeTakeFirstOrThrow());
}

/** A project that holds memory of its account's plan. */
export interface MemoryHolder {
  name: string;
  /** Memory that it holds: reserved, whether it is on or not. */
  memoryMb: number;
  isOn: boolean;
}

/**
 * Returns the projects of an account that hold most memory, the largest first, leaving one project out when
 * `exceptProjectId` names one. With `isOn`, only projects that are on.
 */
export async function listMemoryHolders(
  db: Reader,
  accountId: string,
  { exceptProjectId, isOn, limit }: { exceptProjectId: string | null; isOn: boolean; limit: number },
): Promise<MemoryHolder[]> {
  let query = db
    .selectFrom("project")
    .select(["project.name", "project.run", reservedMemoryMb.as("memory_mb")])
    .where("project.account_id", "=", accountId);
  if (exceptProjectId !== null) query = query.where("project.id", "!=", exceptProjectId);
  if (isOn) query = query.where("project.run", "=", "on");
  const rows = await query.orderBy(reservedMemoryMb, "desc").orderBy("project.id").limit(limit).execute();
  return rows.map(({ name, run, memory_mb }) => ({ name, memoryMb: Number(memory_mb), isOn: run === "on" }));
}

/** Sums the usage of every account that has a project. */
export async function sumUsageByAccount(db: Reader): Promise<Map<string, AccountUsage>> {
  const rows = await selectSums(db).select("project.account_id").groupBy("project.account_id").execute();
  return new Map(rows.map((row) => [row.account_id, usageOfRow(row)]));
}

export const noUsage: AccountUsage = {
  projects: 0,
  sites: 0,
  memoryMb: 0,
  running: { projects: 0, sites: 0, memoryMb: 0 },
};

/** True also for a project that will be a bot, but is served until its next start. */
const isSite = sql<boolean>`(project.type = 'site' or project.served_subdomain is not null)`;
const isOn = sql<boolean>`project.run = 'on'`;

const selectSums = (db: Reader) =>
  db
    .selectFrom("project")
    .select((select) => [
      select.fn.countAll<number>().as("projects"),
      sql<number | null>`sum(case when ${isSite} then 1 else 0 end)`.as("sites"),
      sql<number | null>`sum(${reservedMemoryMb})`.as("memory"),
      sql<number | null>`sum(case when ${isOn} then 1 else 0 end)`.as("running_projects"),
      sql<number | null>`sum(case when ${isOn} and ${isSite} then 1 else 0 end)`.as("running_sites"),
      sql<number | null>`sum(case when ${isOn} then ${reservedMemoryMb} else 0 end)`.as("running_memory"),
    ]);

type Sums = Awaited<ReturnType<ReturnType<typeof selectSums>["executeTakeFirstOrThrow"]>>;

/** Returns the usage; the sums over no rows are null. */
function usageOfRow(row: Sums): AccountUsage {
  return {
    projects: Number(row.projects),
    sites: Number(row.sites ?? 0),
    memoryMb: Number(row.memory ?? 0),
    running: {
      projects: Number(row.running_projects ?? 0),
      sites: Number(row.running_sites ?? 0),
      memoryMb: Number(row.running_memory ?? 0),
    },
  };
}
