/** Start, stop and restart: validate, write what is wanted, wake the host's link; no more. */

import { projectCan, type Project } from "@tijolo/protocol";
import { AppError } from "@tijolo/protocol";
import type { AccountRow } from "../db/account.ts";
import { raiseDesiredRevision } from "../db/host.ts";
import { transact } from "../db/open-database.ts";
import { updateProject, type ProjectChange, type ProjectRow } from "../db/project.ts";
import type { Transaction } from "../db/schema.ts";
import type { AppContext } from "./context.ts";
import { planOf } from "./plan-of.ts";
import { assertAllowed, assertReachable, getOwned } from "./project.ts";
import { viewProject } from "./project-view.ts";
import { assertRoomToRun } from "./quota.ts";

/** A project that is up or coming up already is left as it is; one whose stop is still under way is not: it is to come up again. */
export function startProject(app: AppContext, account: AccountRow, id: string): Promise<Project> {
  return act(app, account, id, async (tx, row, project) => {
    assertAllowed(projectCan.start(project));
    if (row.run === "on" && (project.status === "running" || project.status === "restarting")) return null;
    return askForRun(app, tx, account, row);
  });
}

/** Restart of one that is not running starts it. */
export function restartProject(app: AppContext, account: AccountRow, id: string): Promise<Project> {
  return act(app, account, id, async (tx, row, project) => {
    assertAllowed(projectCan.restart(project));
    return askForRun(app, tx, account, row);
  });
}

/** Stays allowed while the account is suspended. */
export function stopProject(app: AppContext, account: AccountRow, id: string): Promise<Project> {
  return act(app, account, id, async (_tx, row, project) => {
    assertAllowed(projectCan.stop(project));
    return row.run === "off" ? null : { run: "off" };
  });
}

async function askForRun(app: AppContext, tx: Transaction, account: AccountRow, row: ProjectRow): Promise<ProjectChange> {
  if (account.suspendedAt !== null) throw new AppError("account_suspended");
  const plan = planOf(app, account.plan);
  await assertRoomToRun(tx, { accountId: account.id, plan, memoryMb: row.settings.memoryMb, projectId: row.id });
  return { run: "on", restartCount: row.restartCount + 1, runningSettings: row.settings };
}

/** Runs one decision as the project's actor; null from `decide` means nothing is to change. */
async function act(
  app: AppContext,
  account: AccountRow,
  id: string,
  decide: (tx: Transaction, row: ProjectRow, project: Project) => Promise<ProjectChange | null>,
): Promise<Project> {
  await getOwned(app.db, account, id);
  return app.actors.run(id, async () => {
    const plan = planOf(app, account.plan);
    const row = await transact(app.db, async (tx) => {
      const before = await getOwned(tx, account, id);
      assertReachable(app, before);
      const change = await decide(tx, before, viewProject(app, plan, before));
      if (change === null) return before;
      await updateProject(tx, id, change, app.clock.now());
      await raiseDesiredRevision(tx, before.hostId);
      return getOwned(tx, account, id);
    });
    app.wakes.wake(`host:${row.hostId}`);
    app.wakes.wake(`project:${id}`);
    return viewProject(app, plan, row);
  });
}
