/** Projects as their owner sees, changes and deletes them. */

import { AppError, projectCan, type ErrorCode, type Project, type ProjectConfig } from "@tijolo/protocol";
import type { AccountRow } from "../db/account.ts";
import { raiseDesiredRevision } from "../db/host.ts";
import { transact } from "../db/open-database.ts";
import {
  deleteProject as deleteRow,
  findProject,
  findRecentProject,
  listProjects as selectProjects,
  updateProject,
  type ProjectRow,
} from "../db/project.ts";
import type { Reader } from "../db/schema.ts";
import type { AppContext } from "./context.ts";
import { planOf } from "./plan-of.ts";
import { changeSettings } from "./project-change.ts";
import { viewProject } from "./project-view.ts";

export async function listProjects(app: AppContext, account: AccountRow): Promise<Project[]> {
  const plan = planOf(app, account.plan);
  return (await selectProjects(app.db, account.id)).map((row) => viewProject(app, plan, row));
}

export async function getProject(app: AppContext, account: AccountRow, id: string): Promise<Project> {
  return viewProject(app, planOf(app, account.plan), assertOwned(await findRecentProject(app.db, id), account));
}

/** The project; `not_found` also when it is another account's: the same answer, on purpose. */
export async function getOwned(db: Reader, account: AccountRow, id: string): Promise<ProjectRow> {
  return assertOwned(await findProject(db, id), account);
}

function assertOwned(row: ProjectRow | undefined, account: AccountRow): ProjectRow {
  if (row === undefined || row.accountId !== account.id) throw new AppError("not_found");
  return row;
}

/** PATCH: name and description at once, the rest at the next start. */
export async function changeProject(
  app: AppContext,
  account: AccountRow,
  id: string,
  patch: ProjectConfig,
): Promise<{ project: Project; isRestartRequired: boolean }> {
  await getOwned(app.db, account, id);
  return app.actors.run(id, async () => {
    const plan = planOf(app, account.plan);
    const changed = await transact(app.db, async (tx) => {
      const row = await getOwned(tx, account, id);
      assertAllowed(projectCan.changeSettings(viewProject(app, plan, row)));
      const change = await changeSettings(tx, { row, plan, patch });
      if (change.settings !== undefined) assertReachable(app, row);
      await updateProject(tx, id, change, app.clock.now());
      if (change.settings !== undefined) await raiseDesiredRevision(tx, row.hostId);
      return getOwned(tx, account, id);
    });
    app.wakes.wake(`host:${changed.hostId}`);
    return { project: viewProject(app, plan, changed), isRestartRequired: isRestartRequired(changed) };
  });
}

/** Removes the project; its host frees its files when it next hears. An operator's call has no account. */
export async function deleteProject(app: AppContext, account: AccountRow | null, id: string): Promise<void> {
  await app.actors.run(id, async () => {
    const row = await transact(app.db, async (tx) => {
      const found = await findProject(tx, id);
      if (found === undefined || (account !== null && found.accountId !== account.id)) throw new AppError("not_found");
      await deleteRow(tx, id);
      await raiseDesiredRevision(tx, found.hostId);
      return found;
    });
    app.wakes.wake(`host:${row.hostId}`);
    app.wakes.wake(`project:${id}`);
    app.logger.info({ projectId: id, accountId: row.accountId }, "project deleted");
  });
}

export function assertAllowed(refusal: ErrorCode | null): void {
  if (refusal !== null) throw new AppError(refusal);
}

/** An action that the project's host cannot hear of is refused before anything changes. */
export function assertReachable(app: AppContext, row: ProjectRow): void {
  if (!app.hostStates.isConnected(row.hostId)) throw new AppError("server_unavailable");
}

function isRestartRequired(row: ProjectRow): boolean {
  if (row.run === "off" || row.runningSettings === null) return false;
  return JSON.stringify(row.runningSettings) !== JSON.stringify(row.settings);
}
