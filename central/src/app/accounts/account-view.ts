/** Builds an account as operators see it. */

import type { AccountSummary } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { sumUsage, type Usage } from "../../store/tables/accounts/account-usage.ts";
import type { Reader } from "../../store/store.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { planOf } from "./plan-of.ts";

export async function viewAccount(
  app: Pick<AccountsContext, "plans">,
  db: Reader,
  account: AccountRow,
): Promise<AccountSummary> {
  return accountWithUsage(app, account, await sumUsage(db, account.id));
}

export function accountWithUsage(
  app: Pick<AccountsContext, "plans">,
  account: AccountRow,
  usage: Usage,
): AccountSummary {
  const plan = planOf(app, account.plan);
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    memoryMb: quotaOf(plan.memoryMb, usage.memoryMb),
    projects: quotaOf(plan.projects, usage.projects),
    sites: quotaOf(plan.sites, usage.sites),
    suspendedAt: isoOrNull(account.suspendedAt),
    stopsAt: isoOrNull(account.stopsAt),
    betaEndsAt: isoOrNull(account.betaEndsAt),
    createdAt: new Date(account.createdAt).toISOString(),
  };
}

/** Returns the quota; after a downgrade the usage may exceed the limit. */
function quotaOf(limit: number, used: number): { limit: number; used: number; free: number } {
  return { limit, used, free: Math.max(0, limit - used) };
}
