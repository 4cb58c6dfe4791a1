/**
 * Turns an upload into a new project, or the next version of one (spec: POST /projects and POST
 * /projects/{id}/code).
 */

import {
  AppError,
  ArchiveError,
  archiveLimits,
  hiddenControls,
  isVisible,
  type Plan,
  type Project,
  type ProjectConfig,
  type UploadForm,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { checkArchive, maxConfigBytes } from "../../archive/check-archive.ts";
import { wantedChanged } from "../../store/tables/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { insertProject, type ProjectRow } from "../../store/tables/project.ts";
import { insertVersion, isArchiveUsed } from "../../store/tables/version.ts";
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
import { mergeConfig } from "../projects/merge-config.ts";
import { assertMayChange } from "./settings-scope.ts";
import { addVersion, assertMayReceiveCode } from "./next-version.ts";
import { configOfForm, parseSvcJson, resolveUpload } from "./upload-config.ts";
import { assertVariablesOpen } from "../projects/variable.ts";

export interface Upload {
  file: IncomingFile;
  /** File name as the client sent it; a project without a name is called after it. */
  fileName: string;
  form: UploadForm;
  /** True when the caller may change settings, as new code of a project may bring some. */
  mayChangeSettings: boolean;
}

export async function createProject(
  app: UploadsContext,
  { account, actor, once }: Principal,
  upload: Omit<Upload, "mayChangeSettings">,
  signal: AbortSignal,
): Promise<Project> {
  const plan = planOf(app, account.plan);
  assertInGoodStanding(account);
  const { config, hasSvcJson } = await readConfig(app, upload, plan, signal);
  resolveUpload(config, plan, hasSvcJson); // refused before anything is stored
  if (config.subdomain !== undefined) assertSubdomain(config.subdomain);
  const project: NewProject = {
    id: newId(app),
    name: config.name ?? nameOfFile(upload.fileName),
    config,
    hasSvcJson,
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
    await once?.save(tx, { project: viewProject(app, created.plan, created.row) });
    return created;
  };
  const { row, plan: planNow } = await keepArchive(app, upload.file, () => transact(app.db, create));
  app.logger.info(
    { projectId: row.id, accountId: account.id, hostId: row.hostId, language: row.settings.language },
    "project created",
  );
  return viewProject(app, planNow, row);
}

interface NewProject {
  id: string;
  name: string;
  config: ProjectConfig;
  hasSvcJson: boolean;
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
  { id, name, config, hasSvcJson, isOn, file, by }: NewProject,
): Promise<{ row: ProjectRow; plan: Plan }> {
  const { account, plan } = await getAccountNow(app, tx, accountId);
  assertInGoodStanding(account);
  const settings = resolveUpload(config, plan, hasSvcJson);
  // Room beside all projects of the account is room beside those that run.
  await assertRoomFor(tx, { accountId, plan, settings, project: null });
  let subdomain: string | null = null;
  if (settings.type === "site") {
    subdomain = config.subdomain ?? (await makeSubdomain(tx, name, app.random));
    await assertSubdomainFree(tx, subdomain, id);
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
  const { config } = await readConfig(app, upload, plan, signal);
  const receive = async (tx: Transaction) => {
    const { account: accountNow, plan } = await getAccountNow(app, tx, account.id);
    const current = await getOwned(tx, account, id);
    assertMayReceiveCode(app, accountNow, current);
    await assertVariablesOpen(app, tx, id);
    const change = await changeSettings(tx, { row: current, plan, patch: config });
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
    return { row: after, plan };
  };
  return app.projectQueues.run(id, async () => {
    const received = await keepArchive(app, upload.file, () => transact(app.db, receive));
    return viewProject(app, received.plan, received.row);
  });
}

/** Keeps the archive while `work` runs; the archive of an upload that is refused does not stay. */
function keepArchive<Result>(
  app: UploadsContext,
  file: IncomingFile,
  work: () => Promise<Result>,
): Promise<Result> {
  return app.objects.keepFor(file, (sha256) => isArchiveUsed(app.db, sha256), work);
}

/** Checks the archive and reads its configuration, over which the form is laid. */
async function readConfig(
  app: UploadsContext,
  upload: Pick<Upload, "file" | "form">,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ config: ProjectConfig; hasSvcJson: boolean }> {
  try {
    const limits = archiveLimits(plan.diskMbPerProject);
    const archive = await app.archiveSlots.run(() => checkArchive(upload.file.path, limits, signal), signal);
    const svcJson = archive.config === null ? {} : parseSvcJson(archive.config.text);
    return { config: mergeConfig(svcJson, configOfForm(upload.form)), hasSvcJson: archive.config !== null };
  } catch (cause) {
    if (!(cause instanceof ArchiveError)) throw cause;
    if (cause.code === "invalid_config")
      throw new AppError(cause.code, { detail: refusalDetails.svcJsonNotText(maxConfigBytes / 1024), cause });
    const { reason, words } = cause;
    throw new AppError(cause.code, {
      ...(reason && { extra: { reason } }),
      ...(words && { detail: words }),
      cause,
    });
  }
}

/** Derives a project's name: `meu-bot.zip` → `meu-bot`; characters that a name may not hold are left out. */
function nameOfFile(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? "";
  const characters = Array.from(
    base
      .replace(/\.zip$/i, "")
      .replace(hiddenControls, "")
      .trim(),
  );
  const name = characters.slice(0, 40).join("").trim();
  return isVisible(name) ? name : "projeto";
}
