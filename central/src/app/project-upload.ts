/** An upload becomes a new project, or the next version of one (spec: POST /projects and POST /projects/{id}/code). */

import {
  AppError,
  ArchiveError,
  archiveLimits,
  projectCan,
  type Plan,
  type Project,
  type ProjectConfig,
  type UploadForm,
} from "@tijolo/protocol";
import { checkArchive } from "../archive/check-archive.ts";
import type { AccountRow } from "../db/account.ts";
import { raiseDesiredRevision } from "../db/host.ts";
import { transact } from "../db/open-database.ts";
import { deleteVersionsBelow, insertProject, insertVersion, updateProject, type ProjectRow } from "../db/project.ts";
import type { IncomingFile } from "../objects/folder-objects.ts";
import type { AppContext } from "./context.ts";
import { chooseHost } from "./host.ts";
import { newId } from "./new-id.ts";
import { planOf } from "./plan-of.ts";
import { assertAllowed, assertReachable, getOwned } from "./project.ts";
import { changeSettings } from "./project-change.ts";
import { viewProject } from "./project-view.ts";
import { assertRoomFor, assertRoomToRun } from "./quota.ts";
import { assertSubdomain, assertSubdomainFree, makeSubdomain } from "./subdomain.ts";
import { configOfForm, mergeConfig, parseSvcJson, resolveUpload } from "./upload-config.ts";

export interface Upload {
  file: IncomingFile;
  /** As the client named it; a project without a name is called after it. */
  fileName: string;
  form: UploadForm;
}

export async function createProject(app: AppContext, account: AccountRow, upload: Upload, signal: AbortSignal): Promise<Project> {
  const plan = planOf(app, account.plan);
  assertNotSuspended(account);
  const { config, hasSvcJson } = await readConfig(app, upload, plan, signal);
  const settings = resolveUpload(config, plan, hasSvcJson);
  if (config.subdomain !== undefined) assertSubdomain(config.subdomain);
  const isOn = upload.form.start === "true";
  const now = app.clock.now();
  const id = newId(app);
  const name = config.name ?? nameOfFile(upload.fileName);
  await app.objects.keep(upload.file);
  const row = await transact(app.db, async (tx) => {
    await assertRoomFor(tx, { accountId: account.id, plan, settings, projectId: null });
    if (isOn) await assertRoomToRun(tx, { accountId: account.id, plan, memoryMb: settings.memoryMb, projectId: id });
    let subdomain: string | null = null;
    if (settings.type === "site") {
      subdomain = config.subdomain ?? (await makeSubdomain(tx, name, app.random));
      await assertSubdomainFree(tx, subdomain, id);
    }
    const hostId = await chooseHost(app, tx, settings.memoryMb);
    await insertProject(tx, {
      id,
      accountId: account.id,
      name,
      description: config.description ?? "",
      settings,
      subdomain,
      run: isOn ? "on" : "off",
      restartCount: isOn ? 1 : 0,
      versionNumber: 1,
      createdAt: now,
      updatedAt: now,
      hostId,
      generation: 1,
    });
    await addVersion(tx, id, 1, upload.file, now);
    await raiseDesiredRevision(tx, hostId);
    return getOwned(tx, account, id);
  });
  app.wakes.wake(`host:${row.hostId}`);
  app.logger.info({ projectId: id, accountId: account.id, hostId: row.hostId, language: settings.language }, "project created");
  return viewProject(app, plan, row);
}

/** New code for a project: it comes back up with it when it was on, else stays stopped. */
export async function uploadCode(app: AppContext, account: AccountRow, id: string, upload: Upload, signal: AbortSignal): Promise<Project> {
  const plan = planOf(app, account.plan);
  const before = await getOwned(app.db, account, id);
  assertMayReceiveCode(app, account, plan, before);
  const { config } = await readConfig(app, upload, plan, signal);
  await app.objects.keep(upload.file);
  return app.actors.run(id, async () => {
    const now = app.clock.now();
    const row = await transact(app.db, async (tx) => {
      const current = await getOwned(tx, account, id);
      assertMayReceiveCode(app, account, plan, current);
      const change = await changeSettings(tx, { row: current, plan, patch: config });
      const isOn = current.run === "on";
      const versionNumber = current.versionNumber + 1;
      await updateProject(
        tx,
        id,
        {
          ...change,
          versionNumber,
          ...(isOn ? { restartCount: current.restartCount + 1, runningSettings: change.settings ?? current.settings } : {}),
        },
        now,
      );
      await addVersion(tx, id, versionNumber, upload.file, now);
      await deleteVersionsBelow(tx, id, versionNumber - plan.versionsKept + 1);
      await raiseDesiredRevision(tx, current.hostId);
      return getOwned(tx, account, id);
    });
    app.wakes.wake(`host:${row.hostId}`);
    app.wakes.wake(`project:${id}`);
    return viewProject(app, plan, row);
  });
}

function assertMayReceiveCode(app: AppContext, account: AccountRow, plan: Plan, row: ProjectRow): void {
  assertNotSuspended(account);
  assertAllowed(projectCan.receiveCode(viewProject(app, plan, row)));
  assertReachable(app, row);
}

function assertNotSuspended(account: AccountRow): void {
  if (account.suspendedAt !== null) throw new AppError("account_suspended");
}

/** Checks the archive and reads the configuration it brings, under the form. */
async function readConfig(
  app: AppContext,
  upload: Upload,
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
    const reason = cause.code === "unsafe_zip" && cause.reason !== undefined ? { extra: { reason: cause.reason } } : {};
    throw new AppError(cause.code, { ...reason, cause });
  }
}

async function addVersion(
  tx: Parameters<typeof insertVersion>[0],
  projectId: string,
  number: number,
  file: IncomingFile,
  createdAt: number,
): Promise<void> {
  await insertVersion(tx, { projectId, number, sha256: file.sha256, sizeBytes: file.sizeBytes, createdAt });
}

/** `meu-bot.zip` → `meu-bot`; what a name may not hold is left out. */
function nameOfFile(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? "";
  const name = base
    .replace(/\.zip$/i, "")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .slice(0, 40);
  return name === "" ? "projeto" : name;
}
