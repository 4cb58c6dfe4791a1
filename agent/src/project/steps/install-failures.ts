/** Says how an install failed: the next version fails with the reason, and what runs goes on. */

import { ArchiveError, type InstallErrorCode, type OwnerMessage } from "@tijolo/protocol";
import { explainStep, type FailedStep } from "../../diagnosis/explain-step.ts";
import { diskFaultOf, projectFull } from "../../disk/disk-full.ts";
import { DiskDamagedError, DiskFullError } from "../../disk/project-disks.ts";
import { removeTree } from "../../host/files/trees.ts";
import { SystemPackagesError } from "../../images/image.ts";
import { ArchiveFetchError } from "../../versions/fetch-archive.ts";
import { removeUnfinished, versionDirectory } from "../../versions/version-files.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { NextVersion, ProjectRecord } from "../record.ts";
import { servesStill, servingVersion } from "../reported-state.ts";
import { say, type FailedSteps } from "./install-steps.ts";
import { pruneUnused, withoutSpare } from "./prune-unused.ts";

/**
 * Fails the install when the error is final. Rejects with an error that does not count as a failure: then the
 * install is made again.
 */
export async function failInstall(
  worker: ProjectHandle,
  begun: ProjectRecord,
  { cause, signal }: { cause: unknown; signal: AbortSignal },
): Promise<void> {
  const { context, projectId } = worker;
  const error = await diskFaultOf(context, projectId, cause);
  if (error instanceof DiskFullError && !signal.aborted) return failForRoom(worker, error);
  if (error instanceof DiskDamagedError && !signal.aborted) return failForDamage(worker);
  if (error instanceof SystemPackagesError && !signal.aborted) return failPackages(worker, error);
  if (signal.aborted || isCentralAway(error)) throw withoutCounting(worker, begun, error);
  context.logger.error(
    { err: error, projectId, versionNumber: begun.next?.versionNumber },
    "an install was interrupted by a fault of the host",
  );
  const isGone = error instanceof ArchiveFetchError && error.kind === "gone";
  const isUnreadable = error instanceof ArchiveError;
  await fail(worker, "install_interrupted", [
    ...(isGone ? [{ code: "upload_gone" } as const] : []),
    ...(isUnreadable ? [{ code: "upload_not_extracted" } as const] : []),
  ]);
}

/**
 * Fails the version. Its files are removed before the failure is reported, so that the owner who then uploads
 * again finds the room. While files are kept for a rollback alone, those are removed first, and the install
 * is made again.
 */
async function failForRoom(worker: ProjectHandle, error: DiskFullError): Promise<void> {
  const { context, projectId, record } = worker;
  const versionNumber = record.next?.versionNumber ?? record.observed.versionNumber;
  const unused = versionDirectory(context.dataDirectory, projectId, versionNumber);
  const spared = error.of === "project" ? withoutSpare(record) : undefined;
  if (spared !== undefined) {
    context.logger.info({ projectId }, "kept versions make room for a new one");
    worker.save({ ...spared, interruptedInstalls: Math.max(0, record.interruptedInstalls - 1) });
    await removeTree(unused);
    return pruneUnused(worker);
  }
  context.logger.warn({ err: error, projectId }, "a version did not fit on its disk");
  await say(worker, error.forOwner);
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
 * Removes the interruption from the count and returns the error: a disconnected central and the agent's own
 * end are no faults of the install, which is made again.
 */
function withoutCounting(worker: ProjectHandle, begun: ProjectRecord, error: unknown): unknown {
  worker.save({ ...worker.record, interruptedInstalls: Math.max(0, begun.interruptedInstalls - 1) });
  return error;
}

/**
 * Fails the next version for a step that failed, with an explanation where there is one. Throws {@link
 * DiskFullError} for a step without room.
 */
export async function failSteps(
  worker: ProjectHandle,
  { code, exitCode, isDiskFull, problem }: FailedSteps,
  step: Omit<FailedStep, "projectId" | "section">,
): Promise<void> {
  const { context, projectId } = worker;
  if (isDiskFull === true)
    throw new DiskFullError("project", projectFull(await context.disks.usage(projectId)));
  const explanation =
    problem ??
    (code === "install_failed"
      ? await explainStep(context, { ...step, projectId, section: "install" })
      : undefined);
  if (explanation !== undefined) await say(worker, explanation);
  await fail(worker, code, [
    ...(exitCode === null ? [] : [{ code: "exit_code", exitCode } as const]),
    ...(explanation === undefined ? [] : [explanation]),
  ]);
}

/** Fails the next version with the reason; what runs goes on, and the log says so. */
export async function fail(
  worker: ProjectHandle,
  errorCode: InstallErrorCode,
  errorDetails: OwnerMessage[],
): Promise<void> {
  const { context, projectId, record } = worker;
  if (record.next === null) return;
  await removeUnfinished(context.dataDirectory, projectId, record.next.versionNumber);
  const restartCount = worker.assignment?.restartCount ?? record.observed.restartCount;
  const failed: NextVersion = {
    ...record.next,
    phase: "failed",
    errorCode,
    errorDetails,
    restartCount,
    deployed: null,
  };
  const version = servingVersion(record);
  if (version !== null && worker.assignment?.run === "on")
    await say(worker, servesStill({ next: failed }, version));
  worker.save({ ...worker.record, interruptedInstalls: 0, next: failed });
}
