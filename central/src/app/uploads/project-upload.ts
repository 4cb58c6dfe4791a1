/**
 * Turns an upload into a new project, or the next version of one (spec: POST /projects and POST
 * /projects/{id}/code).
 */

import type { Plan, Project, ProjectConfig } from "@tijolo/protocol";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { insertProject, type ProjectChange, type ProjectRow } from "../../store/tables/projects/project.ts";
import { insertVersion, isArchiveUsed } from "../../store/tables/projects/version.ts";
import {
  findSettingsOrigin,
  saveSettingsOrigin,
  type SettingsOrigin,
} from "../../store/tables/projects/version-config.ts";
import type { IncomingFile } from "../../objects/objects.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Actor, Principal } from "../identity/caller.ts";
import { configTagOf } from "../runs/config-tag.ts";
import type { UploadsContext } from "./uploads-context.ts";
import { chooseHost } from "../hosts/host.ts";
import { newId } from "../new-id.ts";
import { planOf } from "../accounts/plan-of.ts";
import { getOwned, settingsForActivity } from "../projects/project.ts";
import { changeSettings } from "../projects/project-change.ts";
import { viewProject } from "../projects/project-view.ts";
import { assertInGoodStanding, assertRoomFor } from "../accounts/quota.ts";
import { assertSubdomain, assertSubdomainFree, makeSubdomain } from "../projects/subdomain.ts";
import { assertMayChange } from "./settings-scope.ts";
import { addVersion, assertMayReceiveCode } from "./next-version.ts";
import { followUpload } from "./follow-upload.ts";
import { nameOfFile } from "./name-of-file.ts";
import { readUpload, type ReadUpload, type Upload } from "./read-upload.ts";
import { checkStartFile } from "./start-file.ts";
import { resolveUpload } from "./upload-config.ts";
import { assertVariablesOpen } from "../projects/variable.ts";

export async function createProject(
  app: UploadsContext,
  { account, actor, language, once }: Principal,
  upload: Omit<Upload, "mayChangeSettings">,
  signal: AbortSignal,
): Promise<Project> {
  const plan = planOf(app, account.plan);
  assertInGoodStanding(account);
  const { said, tree } = await readUpload(app, upload, plan, signal);
  const { patch: config, origin } = followUpload(said, null);
  const hasSvcJson = said.svcJson !== null;
  const settings = resolveUpload(config, plan, hasSvcJson); // refused before anything is stored
  const entry = checkStartFile(settings, tree, null);
  if (config.subdomain !== undefined) assertSubdomain(config.subdomain);
  const project: NewProject = {
    id: newId(app),
    name: config.name ?? nameOfFile(upload.fileName),
    config,
    hasSvcJson,
    origin: { ...origin, entry },
    isOn: upload.form.start === "true",
    file: upload.file,
    by: actor,
  };
  const create = async (tx: Transaction) => {
    const created = await insertNewProject(app, tx, account.id, project);
    const after = settingsForActivity(created.row);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "project.create",
      project: created.row,
      after,
    });
    await once?.save(tx, { project: viewProject(app, created.plan, created.row, language) });
    return created;
  };
  const { row, plan: planNow } = await keepArchive(app, upload.file, () => transact(app.db, create));
  app.logger.info(
    { projectId: row.id, accountId: account.id, hostId: row.hostId, language: row.settings.language },
    "project created",
  );
  return viewProject(app, planNow, row, language);
}

interface NewProject {
  id: string;
  name: string;
  config: ProjectConfig;
  hasSvcJson: boolean;
  origin: SettingsOrigin;
  isOn: boolean;
  file: IncomingFile;
  by: Actor;
}

/**
 * Places the project on a host, with its first version, where the account's current plan and the host have
 * room for it.
 */
async function insertNewProject(
  app: UploadsContext,
  tx: Transaction,
  accountId: string,
  { id, name, config, hasSvcJson, origin, isOn, file, by }: NewProject,
): Promise<{ row: ProjectRow; plan: Plan }> {
  const { account, plan } = await getAccountNow(app, tx, accountId);
  assertInGoodStanding(account);
  const settings = resolveUpload(config, plan, hasSvcJson);
  // Room beside all projects of the account is room beside those that run.
  await assertRoomFor(tx, { accountId, plan, settings, project: null });
  let subdomain: string | null = null;
  if (settings.type === "site") {
    const seeker = { accountId, now: app.clock.now() };
    subdomain = config.subdomain ?? (await makeSubdomain(tx, name, { ...seeker, random: app.random }));
    await assertSubdomainFree(tx, subdomain, { ...seeker, projectId: id });
  }
  const hostId = await chooseHost(app, tx, settings.memoryMb);
  const now = app.clock.now();
  await insertProject(tx, {
    id,
    accountId,
    name,
    description: config.description ?? "",
    settings,
    subdomain,
    servedSubdomain: subdomain,
    run: isOn ? "on" : "off",
    restartCount: isOn ? 1 : 0,
    startConfigTag: isOn ? configTagOf({ settings, variablesRevision: null, subdomain }) : null,
    versionNumber: 1,
    createdAt: now,
    updatedAt: now,
    hostId,
    generation: 1,
  });
  await insertVersion(tx, {
    projectId: id,
    number: 1,
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    trigger: "upload",
    by,
    settings,
    rolledBackFrom: null,
    createdAt: now,
  });
  await saveSettingsOrigin(tx, { projectId: id, number: 1, origin });
  await wantedChanged(tx, hostId, [id]);
  return { row: await getOwned(tx, account, id), plan };
}

/** Takes new code for a project: it comes back up with it when it was on, otherwise it stays stopped. */
export async function uploadCode(
  app: UploadsContext,
  principal: Principal,
  id: string,
  upload: Upload,
  signal: AbortSignal,
): Promise<Project> {
  const { account } = principal;
  const plan = planOf(app, account.plan);
  const before = await getOwned(app.db, account, id);
  assertMayReceiveCode(app, account, before);
  await assertVariablesOpen(app, app.db, id);
  const read = await readUpload(app, upload, plan, signal);
  const receive = async (tx: Transaction) => {
    const { account: accountNow, plan } = await getAccountNow(app, tx, account.id);
    const current = await getOwned(tx, account, id);
    assertMayReceiveCode(app, accountNow, current);
    await assertVariablesOpen(app, tx, id);
    const { change, origin } = await followCode(tx, { row: current, plan, now: app.clock.now() }, read);
    assertMayChange(upload.mayChangeSettings, current, change);
    const after = await addVersion(app, tx, principal, {
      plan,
      current,
      change,
      archive: upload.file,
      trigger: "upload",
      rolledBackFrom: null,
      action: "project.upload",
    });
    await saveSettingsOrigin(tx, { projectId: id, number: after.versionNumber, origin });
    return { row: after, plan };
  };
  return app.projectQueues.run(id, async () => {
    const received = await keepArchive(app, upload.file, () => transact(app.db, receive));
    return viewProject(app, received.plan, received.row, principal.language);
  });
}

/** Decides what new code makes of its project's settings. Throws what forbids it. */
async function followCode(
  tx: Transaction,
  { row, plan, now }: { row: ProjectRow; plan: Plan; now: number },
  { said, tree }: ReadUpload,
): Promise<{ change: ProjectChange; origin: SettingsOrigin }> {
  const { settings } = row;
  const before = await findSettingsOrigin(tx, { projectId: row.id, number: row.versionNumber });
  const { patch, resets, origin } = followUpload(said, { settings, origin: before });
  const change = await changeSettings(tx, { row, plan, now, patch, resets });
  const uploadedEntry = before?.entry ?? null;
  const entry = checkStartFile(change.settings ?? settings, tree, { settings, uploadedEntry });
  return { change, origin: { ...origin, entry } };
}

/** Keeps the archive while `work` runs; the archive of an upload that is refused does not stay. */
function keepArchive<Result>(
  app: UploadsContext,
  file: IncomingFile,
  work: () => Promise<Result>,
): Promise<Result> {
  return app.objects.keepFor(file, (sha256) => isArchiveUsed(app.db, sha256), work);
}
