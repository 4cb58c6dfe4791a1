/** Builds an account as operators see it. */

import type { AccountSummary } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { sumUsage, type Usage } from "../../store/tables/accounts/account-usage.ts";
import { countDomains } from "../../store/tables/projects/domain.ts";
import type { Reader } from "../../store/store.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { planOf } from "./plan-of.ts";

/** Holds what an account uses of its plan: by its projects, and the own domains of its sites. */
export interface PlanUsage extends Usage {
  domains: number;
}

export async function viewAccount(
  app: Pick<AccountsContext, "plans">,
  db: Reader,
  account: AccountRow,
): Promise<AccountSummary> {
  return accountWithUsage(app, account, await sumPlanUsage(db, account.id));
}

export function accountWithUsage(
  app: Pick<AccountsContext, "plans">,
  account: AccountRow,
  usage: PlanUsage,
): AccountSummary {
  const plan = planOf(app, account.plan);
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    memoryMb: quotaOf(plan.memoryMb, usage.memoryMb),
    projects: quotaOf(plan.projects, usage.projects),
    sites: quotaOf(plan.sites, usage.sites),
    domains: quotaOf(plan.domains, usage.domains),
    suspendedAt: isoOrNull(account.suspendedAt),
    stopsAt: isoOrNull(account.stopsAt),
    betaEndsAt: isoOrNull(account.betaEndsAt),
    createdAt: new Date(account.createdAt).toISOString(),
  };
}

export async function sumPlanUsage(db: Reader, accountId: string): Promise<PlanUsage> {
  const usage = await sumUsage(db, accountId);
  return { ...usage, domains: await countDomains(db, accountId) };
}

/** Returns the quota; after a downgrade the usage may exceed the limit. */
function quotaOf(limit: number, used: number): { limit: number; used: number; free: number } {
  return { limit, used, free: Math.max(0, limit - used) };
}
