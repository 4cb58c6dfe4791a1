/**
 * Installs a version: fetches the archive, extracts it and installs the dependencies; the project's status
 * follows each.
 */

import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { archiveLimits, type Assignment } from "@tijolo/protocol";
import { assertDiskNotFull, assertHostRoom } from "../../disk/disk-full.ts";
import type { Image } from "../../images/image.ts";
import { installNotes, planInstall } from "../../languages/install-plan.ts";
import { installSettings } from "../../languages/static.ts";
import { extractArchive } from "../../versions/extract-archive.ts";
import { openSourceTree } from "../../versions/source-tree.ts";
import { removeUnfinished, versionDirectory } from "../../versions/version-files.ts";
import { commonRequest } from "./container-request.ts";
import { installEnvironment } from "./environment.ts";
import { fail, failInstall, failSteps } from "./install-failures.ts";
import { installKey } from "./install-key.ts";
import { runInstallSteps, say, type InstallSteps, type StepsOutcome } from "./install-steps.ts";
import { prepareSite } from "./prepare-site.ts";
import { pruneUnused, withoutUnused, withSize } from "./prune-unused.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { Install, NextVersion, ProjectRecord } from "../record.ts";
import { servingVersion } from "../reported-state.ts";
import { findSameInstall } from "./same-install.ts";
import { directoryOf, takeNext } from "../succession.ts";

/** Most interruptions by faults of the host after which an install is tried again. */
const maxInterruptions = 2;

/**
 * Prepares the wanted version while the present one goes on running. The result is the record's `next`: the
 * finished install, or why there is none.
 */
export async function installVersion(worker: ProjectHandle, signal: AbortSignal): Promise<void> {
  const { assignment } = worker;
  if (assignment === undefined) return;
  const { versionNumber } = assignment;
  const hasLastFailed = worker.record.next?.phase === "failed";
  const begun = withBegun(worker.record, assignment);
  worker.save(begun);
  if (begun.interruptedInstalls > maxInterruptions) return fail(worker, "install_interrupted", []);
  try {
    const { disks, logs, clock } = worker.context;
    // Before all that may fail: what is said of it is of this version.
    await logs.mark(worker.projectId, "install", { version: versionNumber, at: new Date(clock.now()) });
    const isUp = worker.instance !== undefined || worker.leaving !== undefined;
    await disks.open(worker.projectId, { limitMb: assignment.diskMb, isUp });
    worker.save(await withSize(worker, signal));
    const same = findSameInstall(worker, assignment, hasLastFailed);
    if (same !== undefined) return await takeOverInstall(worker, assignment, same, signal);
    await makeRoom(worker);
    await assertHostRoom(worker.context.dataDirectory, assignment.archive.sizeBytes / 2 ** 20);
    await extractVersion(worker, assignment, signal);
    await assertDiskNotFull(disks, worker.projectId);
    await runInstall(worker, assignment, signal);
  } catch (cause) {
    await failInstall(worker, begun, { cause, signal });
  }
}

/** Returns the record of a begun install, which counts as interrupted until it has ended. */
function withBegun(record: ProjectRecord, { versionNumber }: Assignment): ProjectRecord {
  const { observed, next, interruptedInstalls } = record;
  const isOfRun = observed.versionNumber === versionNumber;
  const isAgain = next?.versionNumber === versionNumber && next.phase !== "failed";
  return {
    ...record,
    interruptedInstalls: (isAgain ? interruptedInstalls : 0) + 1,
    // The steps of the same version run again when its settings have changed or its layers are gone.
    ...(isOfRun ? { installed: null } : {}),
    next: {
      versionNumber,
      phase: "extracting",
      restartCount: observed.restartCount,
      errorCode: null,
      errorDetails: [],
      deployed: null,
    },
  };
}

/** Frees the files that nothing needs, before new files arrive. */
async function makeRoom(worker: ProjectHandle): Promise<void> {
  worker.save(withoutUnused(worker.record, worker.instance !== undefined));
  await pruneUnused(worker);
}

/** Uses the files of an earlier version that was the same upload, installed with the same settings. */
async function takeOverInstall(
  worker: ProjectHandle,
  assignment: Assignment,
  same: Install,
  signal: AbortSignal,
): Promise<void> {
  worker.save(withPhase(worker.record, "installing"));
  if (assignment.settings.language !== "static") await ensureImage(worker, assignment, signal);
  await say(worker, { code: "version_still_here", version: same.versionNumber });
  const { versionNumber } = assignment;
  finish(worker, assignment, { ...same, versionNumber, directory: directoryOf(same) });
}

/** Returns the record with the next version in this phase. */
function withPhase(record: ProjectRecord, phase: NextVersion["phase"]): ProjectRecord {
  return record.next === null ? record : { ...record, next: { ...record.next, phase } };
}

async function extractVersion(
  { context, projectId }: ProjectHandle,
  assignment: Assignment,
  signal: AbortSignal,
): Promise<void> {
  const directory = versionDirectory(context.dataDirectory, projectId, assignment.versionNumber);
  const code = join(directory, "code");
  await removeUnfinished(context.dataDirectory, projectId, assignment.versionNumber); // of an agent that was killed
  if (existsSync(code)) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const archive = join(directory, "archive.zip");
  await context.fetchArchive(assignment.archive, archive, signal);
  const flush = (extracted: string) => context.disks.flushTree(projectId, extracted);
  await extractArchive(archive, code, { signal, limits: archiveLimits(assignment.diskMb), flush });
  await rm(archive, { force: true });
}

/** Runs the steps that the upload needs, and records what they made or why they failed. */
async function runInstall(worker: ProjectHandle, assignment: Assignment, signal: AbortSignal): Promise<void> {
  const { context, projectId } = worker;
  const directory = versionDirectory(context.dataDirectory, projectId, assignment.versionNumber);
  worker.save(withPhase(worker.record, "installing"));

  const tree = openSourceTree(join(directory, "code"));
  const settings = installSettings(assignment.settings, tree);
  for (const notice of context.installNotices?.(settings) ?? []) await say(worker, notice);
  const steps = planInstall(settings, tree);
  for (const note of installNotes(settings, tree)) await say(worker, note);
  if (steps.length === 0) return installNothing(worker, assignment, signal);

  const startedMs = context.clock.now();
  const plan = { steps, tree, settings };
  const outcome = await context.installSlots.run(() => makeLayers(worker, assignment, plan, signal), signal);
  const seconds = Math.max(0, context.clock.now() - startedMs) / 1000;
  if (outcome.status === "installed") {
    await say(worker, { code: "install_done", seconds });
    const isBuilt = assignment.settings.language === "static";
    return finishAnew(worker, assignment, { layers: outcome.layers, ...(isBuilt && { isBuilt }) });
  }
  await say(worker, { code: "install_failed_after", seconds });
  await failSteps(worker, outcome, { since: new Date(startedMs), settings, tree });
}

/** Records the install of an upload that needs no step; it needs only its image, or its place to be served. */
async function installNothing(
  worker: ProjectHandle,
  assignment: Assignment,
  signal: AbortSignal,
): Promise<void> {
  const { context, projectId } = worker;
  await removeUnfinished(context.dataDirectory, projectId, assignment.versionNumber);
  if (assignment.settings.language === "static") await prepareSite(worker, assignment, [], signal);
  else await ensureImage(worker, assignment, signal);
  await say(worker, { code: "nothing_to_install" });
  await finishAnew(worker, assignment, { layers: [] });
}

/**
 * Runs the steps and returns the layers that they made. Of a static site there are none: what it serves is
 * copied out of them.
 */
async function makeLayers(
  worker: ProjectHandle,
  assignment: Assignment,
  { steps, tree, settings }: Omit<InstallSteps, "common"> & { settings: Assignment["settings"] },
  signal: AbortSignal,
): Promise<StepsOutcome> {
  const installed = { ...assignment, settings };
  const common = await commonRequest(worker, installed, {
    ensureImage: () => ensureImage(worker, installed, signal),
    environmentOf: installEnvironment,
  });
  const made = await runInstallSteps(worker, installed, { steps, tree, common }, signal);
  if (assignment.settings.language !== "static" || made.status === "failed") return made;
  const problem = await prepareSite(worker, assignment, made.layers, signal);
  return problem === undefined
    ? { status: "installed", layers: [] }
    : { status: "failed", code: "install_failed", exitCode: null, problem };
}

/** Waits for the image; the owner of the first project of a language version on a host is told so. */
async function ensureImage(
  worker: ProjectHandle,
  { settings }: Assignment,
  signal: AbortSignal,
): Promise<Image> {
  const { context } = worker;
  const { language, version, systemPackages } = settings;
  let isTold = false;
  const onProgress = (line: string) => {
    context.logger.info({ image: `${language} ${version}` }, line);
    if (isTold) return;
    isTold = true;
    const hasSystemPackages = systemPackages.length > 0;
    void say(worker, { code: "image_in_preparation", language, version, hasSystemPackages }).catch(() => {});
  };
  return context.images.ensure(settings, { onProgress, signal });
}

/** Flushes the new files to the disk and records the install that was made of them. */
async function finishAnew(
  worker: ProjectHandle,
  assignment: Assignment,
  made: Pick<Install, "layers" | "isBuilt">,
): Promise<void> {
  const { context, projectId } = worker;
  // The ledger outlives a power cut, and so must what it calls installed.
  await context.disks.flush(projectId).catch((error: unknown) => {
    context.logger.warn(
      { err: error, projectId },
      "the host's disk is too slow to say that an install is on it",
    );
  });
  const { versionNumber, archive } = assignment;
  finish(worker, assignment, {
    versionNumber,
    key: installKey(assignment),
    sha256: archive.sha256,
    ...made,
  });
}

/**
 * Records the finished install, which takes over at once where nothing runs. The phase stays `installing`
 * while a requested start is still to come.
 */
function finish(worker: ProjectHandle, assignment: Assignment, installed: Install): void {
  const { settings, configTag } = assignment;
  const { next } = worker.record;
  if (next === null) return;
  const deployed = { installed, settings, configTag, imageLayers: [] };
  const record: ProjectRecord = {
    ...worker.record,
    next: { ...next, phase: "installing", deployed },
    interruptedInstalls: 0,
  };
  const run = worker.assignment?.run ?? "off";
  const isUp = worker.instance !== undefined || servingVersion(record) !== null;
  worker.save(isUp ? record : takeNext(record, run));
}
