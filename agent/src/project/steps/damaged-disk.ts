/** Opens a project's disk for a start, and says what follows when the disk is damaged. */

import { backOffMs, type Assignment } from "@tijolo/protocol";
import { DiskDamagedError } from "../../disk/project-disks.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { withObserved, type ProjectRecord } from "../record.ts";

/** Pauses between two checks of a damaged disk, which only an operator repairs. */
const damagedPauses = { minMs: 60_000, maxMs: 3_600_000, minShare: 0.5 };

export function openDisk(
  { context, projectId, leaving }: ProjectHandle,
  { diskMb }: Assignment,
): Promise<void> {
  return context.disks.open(projectId, { limitMb: diskMb, isUp: leaving !== undefined });
}

/**
 * True while the project's disk is still damaged: it stays failed until the disk is well, so that its owner
 * sees no start that comes to nothing.
 */
export async function isStillDamaged(worker: ProjectHandle, assignment: Assignment): Promise<boolean> {
  if (worker.record.damagedStarts === 0) return false;
  try {
    await openDisk(worker, assignment);
    return false;
  } catch (error) {
    if (!(error instanceof DiskDamagedError)) throw error;
    worker.save(withNextTry(worker));
    return true;
  }
}

/** Fails the project for a damaged disk; the disks have logged it for the operator. */
export async function failForDamage(worker: ProjectHandle, { forOwner }: DiskDamagedError): Promise<void> {
  const { context, projectId } = worker;
  await context.logs.appendMessage(projectId, "app", forOwner, new Date(context.clock.now()));
  worker.save(
    withObserved(withNextTry(worker), {
      phase: "failed",
      errorCode: "start_failed",
      errorDetails: [forOwner],
      startedAt: null,
    }),
  );
}

function withNextTry({ record, context }: ProjectHandle): ProjectRecord {
  const damagedStarts = record.damagedStarts + 1;
  const pauseMs = backOffMs(damagedStarts, { ...damagedPauses, random: context.random });
  return { ...record, damagedStarts, retryAtMs: context.clock.now() + pauseMs };
}
