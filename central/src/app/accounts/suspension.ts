/** Suspends accounts: nothing starts any more, and what runs is stopped when the grace is over. */

import type { AccountSummary, ProjectReference } from "@tijolo/protocol";
import { listServiceStops } from "../../store/tables/accounts/activity.ts";
import { updateAccount } from "../../store/tables/accounts/account.ts";
import { transact } from "../../store/store.ts";
import { listOverdueProjects, listProjects } from "../../store/tables/projects/project.ts";
import { getAccountNow } from "./account-now.ts";
import { viewAccount } from "./account-view.ts";
import { recordActivity } from "./activity.ts";
import type { Actor } from "../identity/caller.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { stopProjects, type StopCause } from "./stop-projects.ts";

/** Most projects that are stopped in one transaction; the next run continues. */
const stopsAtOnce = 100;

const cause: StopCause = "account_suspended";

/**
 * Suspends an account. For an account that is suspended already, a given grace moves the end; without one
 * nothing changes.
 */
export function suspendAccount(
  app: AccountsContext,
  actor: Actor,
  { accountId, graceMs }: { accountId: string; graceMs?: number | undefined },
): Promise<{ account: AccountSummary; running: ProjectReference[] }> {
  return transact(app.db, async (tx) => {
    const { account } = await getAccountNow(app, tx, accountId);
    const running = (await listProjects(tx, accountId)).filter(({ run }) => run === "on").map(referenceOf);
    if (account.suspendedAt !== null && graceMs === undefined)
      return { account: await viewAccount(app, tx, account), running };
    const now = app.clock.now();
    const change = {
      suspendedAt: account.suspendedAt ?? now,
      stopsAt: now + (graceMs ?? app.suspensionGraceMs),
    };
    await updateAccount(tx, accountId, change);
    await recordActivity(app, tx, {
      accountId,
      actor,
      action: "account.suspend",
      before: { stopsAt: isoOrNull(account.stopsAt) },
      after: { stopsAt: isoOrNull(change.stopsAt) },
    });
    return { account: await viewAccount(app, tx, { ...account, ...change }), running };
  });
}

/**
 * Ends a suspension. Nothing is started: it returns what the suspension stopped and is still off, for its
 * owner to start.
 */
export function resumeAccount(
  app: AccountsContext,
  actor: Actor,
  accountId: string,
): Promise<{ account: AccountSummary; stopped: ProjectReference[] }> {
  return transact(app.db, async (tx) => {
    const { account } = await getAccountNow(app, tx, accountId);
    if (account.suspendedAt === null) return { account: await viewAccount(app, tx, account), stopped: [] };
    const change = { suspendedAt: null, stopsAt: null };
    await updateAccount(tx, accountId, change);
    await recordActivity(app, tx, {
      accountId,
      actor,
      action: "account.resume",
      before: { suspendedAt: isoOrNull(account.suspendedAt), stopsAt: isoOrNull(account.stopsAt) },
    });
    const byService = await listServiceStops(tx, accountId, account.suspendedAt);
    const stopped = (await listProjects(tx, accountId))
      .filter(({ id, run }) => run === "off" && byService.has(id))
      .map(referenceOf);
    return { account: await viewAccount(app, tx, { ...account, ...change }), stopped };
  });
}

/** Stops some of the projects that run although their account's grace is over; a run of the reconciler. */
export async function stopSuspended(app: AccountsContext): Promise<void> {
  if ((await listOverdueProjects(app.db, app.clock.now(), 1)).length === 0) return;
  const stopped = await transact(app.db, async (tx) => {
    const overdue = await listOverdueProjects(tx, app.clock.now(), stopsAtOnce);
    await stopProjects(app, tx, overdue, cause);
    return overdue;
  });
  app.logger.info({ projects: stopped.length }, "stopped projects of suspended accounts");
}

function referenceOf({ id, name }: ProjectReference): ProjectReference {
  return { id, name };
}
