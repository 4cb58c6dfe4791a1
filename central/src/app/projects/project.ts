/** Shows, changes and deletes projects for their owner. */

import {
  AppError,
  isSiteStarting,
  projectCan,
  type ActionableProject,
  type ErrorCode,
  type ConfigChange,
  type Project,
  type ProjectSettings,
} from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { saveDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import {
  deleteProject as deleteRow,
  findProject,
  listProjects as selectProjects,
  listProjectsAfter,
  updateProject,
  type ProjectRow,
} from "../../store/tables/projects/project.ts";
import { findSettingsOrigin, saveSettingsOrigin } from "../../store/tables/projects/version-config.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import { changesBetween, recordActivity } from "../accounts/activity.ts";
import type { Actor, Principal } from "../identity/caller.ts";
import { isRestartRequired } from "../runs/config-tag.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { planOf } from "../accounts/plan-of.ts";
import { assertPackagesAllowed } from "./allowed-packages.ts";
import { splitChange } from "./merge-config.ts";
import { changeSettings } from "./project-change.ts";
import { withoutFields } from "./settings-origin.ts";
import { keepSubdomains } from "./subdomain.ts";
import { standingOf, viewProject } from "./project-view.ts";

/** The account whose projects are shown, and the language of their texts. */
type Reading = Pick<Principal, "account" | "language">;

/** Projects of an account, with the ids of the sites among them that are starting, if any is. */
interface ProjectList {
  projects: Project[];
  startingIds?: string[];
}

export async function listProjects(app: ProjectsContext, reader: Reading): Promise<ProjectList> {
  return viewProjects(app, reader, await selectProjects(app.db, reader.account.id));
}

/** Lists projects, oldest first; the cursor is the id of the last project that was seen. */
export async function listProjectPage(
  app: ProjectsContext,
  reader: Reading,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<ProjectList & { nextCursor: string | null }> {
  const rows = await listProjectsAfter(app.db, reader.account.id, { after: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    ...viewProjects(app, reader, page),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function viewProjects(
  app: ProjectsContext,
  { account, language }: Reading,
  rows: readonly ProjectRow[],
): ProjectList {
  const plan = planOf(app, account.plan);
  const now = app.clock.now();
  const projects = rows.map((row) => viewProject(app, plan, row, language));
  const startingIds = rows.filter((row) => isSiteStarting(row, now)).map(({ id }) => id);
  return startingIds.length === 0 ? { projects } : { projects, startingIds };
}

/**
 * Returns a project, with `isStarting` when it is a site in the first minute of a run that does not listen
 * yet, and with `onFailure` where that is not the default.
 */
export async function showProject(
  app: ProjectsContext,
  { account, language }: Reading,
  id: string,
): Promise<{ project: Project; isStarting?: true; onFailure?: "keep" }> {
  const row = await getOwned(app.db, account, id);
  const project = viewProject(app, planOf(app, account.plan), row, language);
  return {
    project,
    ...(isSiteStarting(row, app.clock.now()) && { isStarting: true as const }),
    ...(row.settings.onFailure === "keep" && { onFailure: "keep" as const }),
  };
}

/**
 * Returns the project. Throws `not_found` also when it is another account's: the same answer, on purpose.
 * Callers must not modify the row.
 */
export async function getOwned(db: Reader, account: AccountRow, id: string): Promise<Readonly<ProjectRow>> {
  const row = await findProject(db, id);
  if (row === undefined || row.accountId !== account.id) throw new AppError("not_found");
  return row;
}

/** Applies a PATCH: name and description at once, the rest at the next start. */
export async function changeProject(
  app: ProjectsContext,
  { account, actor, language }: Principal,
  id: string,
  patch: ConfigChange,
): Promise<{ project: Project; isRestartRequired: boolean }> {
  assertPackagesAllowed(app, patch.systemPackages, "invalid_request");
  const { config, resets } = splitChange(patch);
  await getOwned(app.db, account, id);
  return app.projectQueues.run(id, async () => {
    const { changed, plan } = await transact(app.db, async (tx) => {
      const { plan } = await getAccountNow(app, tx, account.id);
      const row = await getOwned(tx, account, id);
      assertAllowed(projectCan.changeSettings(standingNow(app, row)));
      const change = await changeSettings(tx, { row, plan, now: app.clock.now(), patch: config, resets });
      const isDesiredChanged = change.settings !== undefined;
      if (isDesiredChanged) assertReachable(app, row);
      const updatedAt = app.clock.now();
      await updateProject(tx, id, change, updatedAt);
      if (isDesiredChanged) await wantedChanged(tx, row.hostId, [id]);
      await keepFromUploads(tx, { row, patch, settings: change.settings ?? row.settings });
      const after: ProjectRow = { ...row, ...change, updatedAt };
      const changed = changesBetween(settingsForActivity(row), settingsForActivity(after));
      if (changed !== null)
        await recordActivity(app, tx, {
          accountId: account.id,
          actor,
          action: "project.settings",
          project: row,
          ...changed,
        });
      return { changed: after, plan };
    });
    return {
      project: viewProject(app, plan, changed, language),
      isRestartRequired: isRestartRequired(changed),
    };
  });
}

/** Removes what a person has set from the settings that follow the project's uploads. */
async function keepFromUploads(
  tx: Transaction,
  { row, patch, settings }: { row: ProjectRow; patch: ConfigChange; settings: ProjectSettings },
): Promise<void> {
  const version = { projectId: row.id, number: row.versionNumber };
  const before = await findSettingsOrigin(tx, version);
  if (before === null) return;
  const isOtherLanguage = settings.language !== row.settings.language;
  await saveSettingsOrigin(tx, { ...version, origin: withoutFields(before, patch, { isOtherLanguage }) });
}

/** Removes the project; its host frees its files when next connected. An operator acts for no account. */
export async function deleteProject(
  app: ProjectsContext,
  { account, actor }: { account: AccountRow | null; actor: Actor },
  id: string,
): Promise<void> {
  if (account !== null) await getOwned(app.db, account, id);
  await app.projectQueues.run(id, async () => {
    const row = await transact(app.db, async (tx) => {
      const found = await findProject(tx, id);
      if (found === undefined || (account !== null && found.accountId !== account.id))
        throw new AppError("not_found");
      await deleteRow(tx, id);
      await keepSubdomains(tx, found, app.clock.now());
      await saveDeparture(tx, {
        hostId: found.hostId,
        projectId: id,
        reason: "deleted",
        createdAt: app.clock.now(),
      });
      await wantedChanged(tx, found.hostId, [id]);
      const { accountId } = found;
      const before = settingsForActivity(found);
      await recordActivity(app, tx, { accountId, actor, action: "project.delete", project: found, before });
      return found;
    });
    app.logger.info({ projectId: id, accountId: row.accountId }, "project deleted");
  });
}

export function assertAllowed(refusal: ErrorCode | null): void {
  if (refusal !== null) throw new AppError(refusal);
}

/**
 * Throws when the project's host is disconnected: an action that the host cannot receive is refused before
 * anything changes.
 */
export function assertReachable(app: ProjectsContext, row: ProjectRow): void {
  if (!isReachable(app, row)) throw new AppError("server_unavailable");
}

/**
 * True when the host can be reached. A project that is held back counts as on a disconnected host: nothing of
 * it is sent, and a change here would compete with its newer state.
 */
export function isReachable(
  { hostStates, heldBack }: Pick<ProjectsContext, "hostStates" | "heldBack">,
  { id, hostId }: Pick<ProjectRow, "id" | "hostId">,
): boolean {
  return hostStates.isConnected(hostId) && !heldBack.has(hostId, id);
}

/**
 * Returns what decides which actions the project accepts now. While its host is disconnected nothing counts
 * as in progress: what needs the host is `server_unavailable`, and what does not need it is not delayed by a
 * host that may never come back.
 */
export function standingNow(app: ProjectsContext, row: ProjectRow): ActionableProject {
  const standing = standingOf(row);
  return isReachable(app, row) ? standing : { ...standing, action: null };
}

/** Returns what a person sets of a project. */
export function settingsForActivity({
  name,
  description,
  subdomain,
  settings,
}: ProjectRow): Record<string, unknown> {
  return { name, description, subdomain, ...settings };
}
