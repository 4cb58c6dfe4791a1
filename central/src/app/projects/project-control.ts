/** Handles start, stop and restart: validates, writes the desired state, and wakes the host's link. */

import {
  isComingBack,
  projectCan,
  type ActionableProject,
  type ActivityAction,
  type Plan,
  type Project,
} from "@tijolo/protocol";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { updateProject, type ProjectChange, type ProjectRow } from "../../store/tables/projects/project.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Principal } from "../identity/caller.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { assertAllowed, assertReachable, getOwned, standingNow } from "./project.ts";
import { viewProject } from "./project-view.ts";
import { assertInGoodStanding, assertRoomToRun } from "../accounts/quota.ts";
import { runEnd, runStart } from "../runs/run-change.ts";
import { assertVariablesOpen } from "./variable.ts";

/**
 * Starts a project. One that is up or coming up already is left as it is; one that comes back from a crash
 * does so at once, its crashes forgotten. If it has come back and central has not received that yet, this
 * restarts it.
 */
export function startProject(app: ProjectsContext, principal: Principal, id: string): Promise<Project> {
  return act(app, { principal, id, action: "project.start" }, async (tx, row, { standing, plan }) => {
    assertAllowed(projectCan.start(standing));
    const isUp = standing.status === "running" || standing.status === "restarting";
    if (isUp && !isComingBack(row, row.observed)) return null;
    return askForRun(app, tx, { row, plan });
  });
}

/** Restarts a project; one that is not running is started. */
export function restartProject(app: ProjectsContext, principal: Principal, id: string): Promise<Project> {
  return act(app, { principal, id, action: "project.restart" }, async (tx, row, { standing, plan }) => {
    assertAllowed(projectCan.restart(standing));
    return askForRun(app, tx, { row, plan });
  });
}

/** Stops a project, which stays allowed while the account is suspended. */
export function stopProject(app: ProjectsContext, principal: Principal, id: string): Promise<Project> {
  return act(app, { principal, id, action: "project.stop" }, async (_tx, row, { standing }) => {
    assertAllowed(projectCan.stop(standing));
    return row.run === "off" ? null : runEnd(row);
  });
}

async function askForRun(
  app: ProjectsContext,
  tx: Transaction,
  { row, plan }: { row: ProjectRow; plan: Plan },
): Promise<ProjectChange> {
  await assertRoomToRun(tx, { accountId: row.accountId, plan, settings: row.settings, projectId: row.id });
  await assertVariablesOpen(app, tx, row.id);
  return runStart(row);
}

/** Runs one decision in the project's queue; null from `decide` means nothing is to change. */
async function act(
  app: ProjectsContext,
  {
    principal: { account, actor, language, once },
    id,
    action,
  }: { principal: Principal; id: string; action: ActivityAction },
  decide: (
    tx: Transaction,
    row: ProjectRow,
    seen: { standing: ActionableProject; plan: Plan },
  ) => Promise<ProjectChange | null>,
): Promise<Project> {
  await getOwned(app.db, account, id);
  return app.projectQueues.run(id, async () => {
    return transact(app.db, async (tx) => {
      const { account: accountNow, plan } = await getAccountNow(app, tx, account.id);
      const before = await getOwned(tx, account, id);
      if (action !== "project.stop") assertInGoodStanding(accountNow);
      assertReachable(app, before);
      const change = await decide(tx, before, { standing: standingNow(app, before), plan });
      const updatedAt = app.clock.now();
      const row = change === null ? before : { ...before, ...change, updatedAt };
      if (change !== null) {
        await updateProject(tx, id, change, updatedAt);
        await wantedChanged(tx, before.hostId, [id]);
        await recordActivity(app, tx, { accountId: account.id, actor, action, project: before });
      }
      const project = viewProject(app, plan, row, language);
      await once?.save(tx, { project });
      return project;
    });
  });
}
