/**
 * Changes the plan of an account: in effect at once, without a restart; what no longer fits is named, and
 * left running.
 */

import {
  minimumMemoryMb,
  type Plan,
  type PlanChange,
  type PlanExcess,
  type PlanName,
} from "@tijolo/protocol";
import { updateAccount } from "../../store/tables/accounts/account.ts";
import { wantedChangedOf } from "../../store/tables/hosts/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { listProjects } from "../../store/tables/projects/project.ts";
import { getAccountNow } from "./account-now.ts";
import { sumPlanUsage, viewAccount, type PlanUsage } from "./account-view.ts";
import { recordActivity } from "./activity.ts";
import type { Actor } from "../identity/caller.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { planOf } from "./plan-of.ts";

export interface PlanChangeInput {
  accountId: string;
  plan: PlanName;
}

export async function changePlan(
  app: AccountsContext,
  actor: Actor,
  input: PlanChangeInput,
): Promise<PlanChange> {
  return transact(app.db, async (tx) => {
    const { account } = await getAccountNow(app, tx, input.accountId);
    await applyPlan(app, tx, actor, input);
    return describeChange(app, tx, { ...account, plan: input.plan }, account.plan);
  });
}

/** Applies the plan to the account's projects: restart policy and disk limit follow from it. */
export async function applyPlan(
  app: AccountsContext,
  tx: Transaction,
  actor: Actor,
  { accountId, plan }: PlanChangeInput,
): Promise<void> {
  const { account } = await getAccountNow(app, tx, accountId);
  if (account.plan === plan) return;
  await updateAccount(tx, accountId, { plan });
  await recordActivity(app, tx, {
    accountId,
    actor,
    action: "account.plan",
    before: { plan: account.plan },
    after: { plan },
  });
  await wantedChangedOf(tx, await listProjects(tx, accountId));
}

async function describeChange(
  app: AccountsContext,
  tx: Transaction,
  account: Parameters<typeof viewAccount>[2],
  before: PlanName,
): Promise<PlanChange> {
  const plan = planOf(app, account.plan);
  const usage = await sumPlanUsage(tx, account.id);
  const belowMinimum = (await listProjects(tx, account.id)).flatMap(({ id, name, settings }) => {
    const minimumMb = minimumMemoryMb(plan, settings);
    return settings.memoryMb < minimumMb ? [{ id, name, memoryMb: settings.memoryMb, minimumMb }] : [];
  });
  return {
    account: await viewAccount(app, tx, account),
    before,
    excess: excessOf(plan, usage),
    belowMinimum,
  };
}

function excessOf(plan: Plan, usage: PlanUsage): PlanExcess[] {
  const all = (["memoryMb", "projects", "sites", "domains"] as const).map((of) => ({
    of,
    limit: plan[of],
    used: usage[of],
  }));
  return all.filter(({ limit, used }) => used > limit);
}
