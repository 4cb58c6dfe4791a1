/**
 * Installs a version: fetches the archive, extracts it and installs the dependencies; the project's status
 * follows each.
 */

import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  ArchiveError,
  archiveLimits,
  type Assignment,
  type InstallErrorCode,
  type OwnerMessage,
} from "@tijolo/protocol";
import { assertDiskNotFull, assertHostRoom, diskFaultOf, projectFull } from "../../disk/disk-full.ts";
import { DiskDamagedError, DiskFullError } from "../../disk/project-disks.ts";
import { removeTree } from "../../host/files/trees.ts";
import { SystemPackagesError, type Image } from "../../images/image.ts";
import { explainStep } from "../../diagnosis/explain-step.ts";
import { installNotes, planInstall } from "../../languages/install-plan.ts";
import { installSettings } from "../../languages/static.ts";
import type { AppLayer } from "../../runtime/runtime.ts";
import { extractArchive } from "../../versions/extract-archive.ts";
import { ArchiveFetchError } from "../../versions/fetch-archive.ts";
import { openSourceTree } from "../../versions/source-tree.ts";
import { pruneVersions, removeUnfinished, versionDirectory } from "../../versions/version-files.ts";
import { commonRequest } from "./container-request.ts";
import { installEnvironment } from "./environment.ts";
import { installKey } from "./install-key.ts";
import { runInstallSteps, say, type StepsOutcome } from "./install-steps.ts";
import { prepareSite } from "./prepare-site.ts";
import { withObserved, type ProjectRecord } from "../record.ts";
import type { ProjectHandle } from "../project-handle.ts";

/** Most interruptions by faults of the host after which an install is tried again. */
const maxInterruptions = 2;

export async function installVersion(worker: ProjectHandle, signal: AbortSignal): Promise<void> {
  const { assignment } = worker;
  if (assignment === undefined) return;
  const { versionNumber } = assignment;
  const isAnew = worker.record.observed.versionNumber !== versionNumber;
  const interruptedInstalls = isAnew ? 0 : worker.record.interruptedInstalls;
  const begun = { ...worker.record, interruptedInstalls: interruptedInstalls + 1, installed: null };
  worker.save(withObserved(begun, { phase: "extracting", versionNumber, errorCode: null, errorDetails: [] }));
  if (interruptedInstalls >= maxInterruptions) return fail(worker, "install_interrupted", []);
  try {
    const { disks, logs, clock } = worker.context;
    // Before all that may fail: what is said of it is of this version.
    await logs.mark(worker.projectId, "install", { version: versionNumber, at: new Date(clock.now()) });
    await disks.open(worker.projectId, { limitMb: assignment.diskMb, isUp: worker.instance !== undefined });
    await pruneVersions(
      worker.context.dataDirectory,
      worker.projectId,
      neededVersions(worker, versionNumber),
    );
    await assertHostRoom(worker.context.dataDirectory, assignment.archive.sizeBytes / 2 ** 20);
    await extractVersion(worker, assignment, signal);
    await assertDiskNotFull(disks, worker.projectId);
    await runInstall(worker, assignment, signal);
  } catch (cause) {
    const error = await diskFaultOf(worker.context, worker.projectId, cause);
    if (error instanceof DiskFullError && !signal.aborted) return failForRoom(worker, error);
    if (error instanceof DiskDamagedError && !signal.aborted) return failForDamage(worker);
    if (error instanceof SystemPackagesError && !signal.aborted) return failPackages(worker, error);
    if (signal.aborted || isCentralAway(error)) throw withoutCounting(worker, begun, error);
    worker.context.logger.error(
      { err: error, projectId: worker.projectId, versionNumber },
      "an install was interrupted by a fault of the host",
    );
    const isGone = error instanceof ArchiveFetchError && error.kind === "gone";
    const isUnreadable = error instanceof ArchiveError;
    await fail(worker, "install_interrupted", [
      ...(isGone ? [{ code: "upload_gone" } as const] : []),
      ...(isUnreadable ? [{ code: "upload_not_extracted" } as const] : []),
    ]);
  }
}

/**
 * Returns the versions that must be kept. A rollback is a new upload, which brings its files with it, so
 * earlier uploads that do not run are not needed.
 */
function neededVersions({ instance }: ProjectHandle, versionNumber: number): number[] {
  return instance === undefined ? [versionNumber] : [versionNumber, instance.versionNumber];
}

async function failForRoom(worker: ProjectHandle, error: DiskFullError): Promise<void> {
  const { context, projectId } = worker;
  context.logger.warn({ err: error, projectId }, "a version did not fit on its disk");
  await say(worker, error.forOwner);
  // Before the failure is reported: whoever reads of it and uploads again finds the room.
  const unused = versionDirectory(context.dataDirectory, projectId, worker.record.observed.versionNumber);
  try {
    await removeTree(unused);
  } finally {
    await fail(worker, error.of === "project" ? "install_failed" : "install_interrupted", [error.forOwner]);
  }
}

/** Fails the project for a damaged disk; the disks have logged it for the operator. */
async function failForDamage(worker: ProjectHandle): Promise<void> {
  const message: OwnerMessage = { code: "upload_on_damaged_disk" };
  await say(worker, message);
  await fail(worker, "install_interrupted", [message]);
}

async function failPackages(worker: ProjectHandle, error: SystemPackagesError): Promise<void> {
  const { context, projectId } = worker;
  context.logger.warn({ err: error, projectId }, "a project's system packages could not be installed");
  await say(worker, error.forOwner);
  await fail(worker, "system_packages_failed", [error.forOwner]);
}

/**
 * True when central cannot be reached or refuses the link's rights, which end with a connection: the next one
 * asks again, or brings the news that the project is gone.
 */
function isCentralAway(error: unknown): boolean {
  return error instanceof ArchiveFetchError && (error.kind === "refused" || error.kind === "unreachable");
}

/**
 * Takes the interruption out of the count and returns the error: neither central's absence nor the agent's
 * own end is a fault of the install, which is made again.
 */
function withoutCounting(worker: ProjectHandle, begun: ProjectRecord, error: unknown): unknown {
  worker.save({ ...worker.record, interruptedInstalls: begun.interruptedInstalls - 1 });
  return error;
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

async function runInstall(worker: ProjectHandle, assignment: Assignment, signal: AbortSignal): Promise<void> {
  const { context, projectId } = worker;
  const { versionNumber } = assignment;
  const directory = versionDirectory(context.dataDirectory, projectId, versionNumber);
  worker.save(withObserved(worker.record, { phase: "installing" }));

  const tree = openSourceTree(join(directory, "code"));
  const settings = installSettings(assignment.settings, tree);
  const isStatic = assignment.settings.language === "static";
  for (const notice of context.installNotices?.(settings) ?? []) await say(worker, notice);
  const steps = planInstall(settings, tree);
  for (const note of installNotes(settings, tree)) await say(worker, note);
  if (steps.length === 0) {
    await removeUnfinished(context.dataDirectory, projectId, versionNumber);
    if (isStatic) await prepareSite(worker, assignment, [], signal);
    else await ensureImage(worker, assignment, signal);
    await say(worker, { code: "nothing_to_install" });
    return finish(worker, assignment, []);
  }
  const startedMs = context.clock.now();
  const since = new Date(startedMs);
  const outcome = await context.installSlots.run(async (): Promise<StepsOutcome> => {
    const installed = { ...assignment, settings };
    const common = await commonRequest(worker, installed, {
      ensureImage: () => ensureImage(worker, installed, signal),
      environmentOf: installEnvironment,
    });
    const made = await runInstallSteps(worker, installed, { steps, tree, common }, signal);
    if (!isStatic || made.status === "failed") return made;
    const problem = await prepareSite(worker, assignment, made.layers, signal);
    return problem === undefined
      ? { status: "installed", layers: [] }
      : { status: "failed", code: "install_failed", exitCode: null, problem };
  }, signal);
  const seconds = Math.max(0, context.clock.now() - startedMs) / 1000;
  if (outcome.status === "installed") {
    await say(worker, { code: "install_done", seconds });
    return finish(worker, assignment, outcome.layers);
  }
  await say(worker, { code: "install_failed_after", seconds });
  if (outcome.isDiskFull === true)
    throw new DiskFullError("project", projectFull(await context.disks.usage(projectId)));
  const explanation =
    outcome.problem ??
    (outcome.code === "install_failed"
      ? await explainStep(context, { projectId, section: "install", since, settings, tree })
      : undefined);
  if (explanation !== undefined) await say(worker, explanation);
  const { exitCode } = outcome;
  await fail(worker, outcome.code, [
    ...(exitCode === null ? [] : [{ code: "exit_code", exitCode } as const]),
    ...(explanation === undefined ? [] : [explanation]),
  ]);
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

/** Records the finished install. The phase stays `installing` while a requested start is still to come. */
async function finish(worker: ProjectHandle, assignment: Assignment, layers: AppLayer[]): Promise<void> {
  const { context, projectId } = worker;
  // The ledger outlives a power cut, and so must what it calls installed.
  await context.disks.flush(projectId).catch((error: unknown) => {
    context.logger.warn(
      { err: error, projectId },
      "the host's disk is too slow to say that an install is on it",
    );
  });
  const installed = { versionNumber: assignment.versionNumber, key: installKey(assignment), layers };
  const record = { ...worker.record, installed, interruptedInstalls: 0 };
  const isStartNext = worker.assignment?.run === "on";
  worker.save(isStartNext ? record : withObserved(record, { phase: "ready", startedAt: null }));
}

/** Fails the project with the new version's reason, also when the earlier version ran until now. */
async function fail(
  worker: ProjectHandle,
  errorCode: InstallErrorCode,
  errorDetails: OwnerMessage[],
): Promise<void> {
  if (worker.instance?.exit === null) {
    await worker.context.runtime.stop(worker.projectId, { graceMs: 10_000 });
  }
  await removeUnfinished(
    worker.context.dataDirectory,
    worker.projectId,
    worker.record.observed.versionNumber,
  );
  const restartCount = worker.assignment?.restartCount ?? worker.record.observed.restartCount;
  worker.save(
    withObserved(
      { ...worker.record, interruptedInstalls: 0 },
      { phase: "failed", errorCode, errorDetails, restartCount, startedAt: null },
    ),
  );
}
