/** Ends an account's beta: while it ends the account starts and receives nothing, then it returns to Free. */

import type { AccountSummary, Plan } from "@tijolo/protocol";
import { listEndedBetas, updateAccount } from "../../store/tables/accounts/account.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { listProjects, type ProjectRow } from "../../store/tables/projects/project.ts";
import { reservedMemoryOf } from "../../store/tables/projects/reserved-memory.ts";
import { getAccountNow } from "./account-now.ts";
import { viewAccount } from "./account-view.ts";
import { recordActivity } from "./activity.ts";
import { serviceActor, type Actor } from "../identity/caller.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { applyPlan } from "./plan-change.ts";
import { planOf } from "./plan-of.ts";
import { isSite } from "./quota.ts";
import { stopProjects } from "./stop-projects.ts";

/** Most accounts that return to Free in one run; the next run continues. */
const accountsAtOnce = 20;

export function endBeta(
  app: AccountsContext,
  actor: Actor,
  { accountId, inMs }: { accountId: string; inMs: number },
): Promise<AccountSummary> {
  return setBetaEnd(app, actor, accountId, app.clock.now() + inMs);
}

export function cancelBetaEnd(
  app: AccountsContext,
  actor: Actor,
  accountId: string,
): Promise<AccountSummary> {
  return setBetaEnd(app, actor, accountId, null);
}

function setBetaEnd(
  app: AccountsContext,
  actor: Actor,
  accountId: string,
  betaEndsAt: number | null,
): Promise<AccountSummary> {
  return transact(app.db, async (tx) => {
    const { account } = await getAccountNow(app, tx, accountId);
    if (account.betaEndsAt !== betaEndsAt) {
      await updateAccount(tx, accountId, { betaEndsAt });
      const before = { betaEndsAt: isoOrNull(account.betaEndsAt) };
      await recordActivity(app, tx, {
        accountId,
        actor,
        action: "account.beta_ending",
        before,
        after: { betaEndsAt: isoOrNull(betaEndsAt) },
      });
    }
    return viewAccount(app, tx, { ...account, betaEndsAt });
  });
}

/** Returns accounts to Free whose beta is over; a run of the reconciler. */
export async function returnEndedBetas(app: AccountsContext): Promise<void> {
  for (const { id } of await listEndedBetas(app.db, app.clock.now(), accountsAtOnce)) {
    const stopped = await transact(app.db, (tx) => returnToFree(app, tx, id));
    app.logger.info({ accountId: id, stopped: stopped.length }, "a beta ended: the account is on Free");
  }
}

/**
 * Returns the account to Free and deletes nothing. Checks again whether the beta is over, because its end may
 * have been called off.
 */
async function returnToFree(app: AccountsContext, tx: Transaction, accountId: string): Promise<ProjectRow[]> {
  const { account } = await getAccountNow(app, tx, accountId);
  if (account.betaEndsAt === null || account.betaEndsAt > app.clock.now()) return [];
  await updateAccount(tx, accountId, { betaEndsAt: null });
  await applyPlan(app, tx, serviceActor, { accountId, plan: "Free" });
  const stopped = projectsWithoutRoom(planOf(app, "Free"), await listProjects(tx, accountId));
  await stopProjects(app, tx, stopped, "beta_ended");
  return stopped;
}

/**
 * Returns, of the projects that are on, oldest first, those for which the plan has no room beside those
 * before them.
 */
function projectsWithoutRoom(plan: Plan, rows: readonly ProjectRow[]): ProjectRow[] {
  const kept = { projects: 0, sites: 0, memoryMb: 0 };
  const running = rows
    .filter(({ run }) => run === "on")
    .toSorted((left, right) => left.createdAt - right.createdAt);
  return running.filter((row) => {
    const memoryMb = reservedMemoryOf(row);
    const sites = isSite(row) ? 1 : 0;
    const hasRoom =
      kept.projects < plan.projects &&
      kept.sites + sites <= plan.sites &&
      kept.memoryMb + memoryMb <= plan.memoryMb;
    if (!hasRoom) return true;
    kept.projects++;
    kept.sites += sites;
    kept.memoryMb += memoryMb;
    return false;
  });
}
