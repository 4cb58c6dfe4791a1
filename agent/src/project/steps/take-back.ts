/**
 * Takes back a version that did not come up: the one before it is started again, and the owner is told why.
 */

import type { OwnerMessage } from "@tijolo/protocol";
import { explainStep } from "../../diagnosis/explain-step.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { ProjectRecord } from "../record.ts";
import { goBack } from "../succession.ts";

export interface TakeBack {
  /** Reason why the version did not come up. */
  reason: OwnerMessage;
  /** True when the project's log has the reason already. Default: false. */
  isTold?: boolean;
  /** False when its install may not stay, for lack of room. Default: true. */
  isKept?: boolean;
}

/**
 * Records the version before as the one that is to run. The plan then stops a run of the given up version.
 */
export async function takeBack(
  worker: ProjectHandle,
  { reason, isTold = false, isKept = true }: TakeBack,
): Promise<void> {
  const { context, projectId, record } = worker;
  const { settings } = record;
  const { startedAt } = record.observed;
  const explanation =
    startedAt === null || settings === null
      ? undefined
      : await explainStep(context, { projectId, section: "app", since: new Date(startedAt), settings });
  const errorDetails = explanation === undefined ? [reason] : [reason, explanation];
  const nowMs = context.clock.now();
  const gone = goBack(record, { errorDetails, nowMs, isKept });
  for (const message of isTold ? errorDetails.slice(1) : errorDetails)
    await context.logs.appendMessage(projectId, "app", message, new Date(nowMs));
  await sayTakenBack(worker, gone, new Date(nowMs));
  worker.save(gone);
}

/** Writes to the project's log which version is started again. */
export async function sayTakenBack(
  { context, projectId }: ProjectHandle,
  { observed }: ProjectRecord,
  at: Date,
): Promise<void> {
  const message = { code: "earlier_version_is_back", version: observed.versionNumber } as const;
  await context.logs.appendMessage(projectId, "app", message, at);
}
