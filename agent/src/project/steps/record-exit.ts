/** Records the end of a run: applies the restart policy, and tells the owner the reason. */

import type { Assignment, OwnerMessage } from "@tijolo/protocol";
import { explainStep } from "../../diagnosis/explain-step.ts";
import type { Instance, InstanceExit } from "../../runtime/runtime.ts";
import { afterExit, restartPausesMs, type AfterExit } from "../exit-policy.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { withObserved, type ProjectRecord } from "../record.ts";
import { openSourceTree } from "../../versions/source-tree.ts";
import { assignmentOfRun } from "../succession.ts";
import { codeDirectory } from "./container-request.ts";
import { sayTakenBack } from "./take-back.ts";

type Ended = Instance & { exit: InstanceExit };

/**
 * Reports the exit and applies the policy in one transaction; only then is the instance forgotten, so it
 * counts once.
 */
export async function recordExit(worker: ProjectHandle, ended: Ended): Promise<void> {
  const { context } = worker;
  if (worker.assignment === undefined) return;
  const { runNumber, endedRunNumber } = worker.record;
  if (ended.runNumber > endedRunNumber && (ended.runNumber === runNumber || runNumber === 0)) {
    const assignment = assignmentOfRun(worker.assignment, worker.record);
    const { restartPausesMs: pausesMs = restartPausesMs, random } = context;
    const after = afterExit(assignment, worker.record, ended, { pausesMs, random });
    const record = await explained(worker, assignment, ended, after);
    const exit = {
      code: ended.exit.code,
      isOutOfMemory: ended.exit.isOutOfMemory,
      exitedAt: ended.exit.at.toISOString(),
    };
    const { isCrash } = after;
    worker.save(
      { ...record, runNumber: Math.max(runNumber, ended.runNumber), endedRunNumber: ended.runNumber },
      ended.exit.cause === "vanished" ? [] : [{ kind: "exit", runNumber: ended.runNumber, exit, isCrash }],
    );
  }
  await context.runtime.forget(ended);
  if (worker.instance?.runNumber === ended.runNumber) worker.instance = undefined;
}

/** Writes to the project's log what happened, and returns the record with the reason, where one is known. */
async function explained(
  worker: ProjectHandle,
  assignment: Assignment,
  ended: Ended,
  { record, isCrash, isTakenBack = false }: AfterExit,
): Promise<ProjectRecord> {
  const { context, projectId } = worker;
  const { exit } = ended;
  const { settings } = assignment;
  const tree = openSourceTree(codeDirectory(worker, assignment));
  const seconds = Math.max(0, exit.at.getTime() - ended.startedAt.getTime()) / 1000;
  const { phase, versionNumber } = record.observed;
  const comesBack = phase === "waiting" && versionNumber === ended.versionNumber && !isTakenBack;
  await context.logs.appendMessage(projectId, "app", exitMessage(exit, seconds, comesBack), exit.at);
  const reason =
    (isCrash || isTakenBack) && !exit.isOutOfMemory
      ? await explainStep(context, { projectId, section: "app", since: ended.startedAt, settings, tree })
      : undefined;
  if (reason !== undefined) await context.logs.appendMessage(projectId, "app", reason, exit.at);
  if (isTakenBack) await sayTakenBack(worker, record, exit.at);
  return reason === undefined ? record : withReason(record, reason, isTakenBack);
}

function withReason(record: ProjectRecord, reason: OwnerMessage, isTakenBack: boolean): ProjectRecord {
  const { next, observed } = record;
  if (isTakenBack && next?.errorCode === "start_failed")
    return { ...record, next: { ...next, errorDetails: [...next.errorDetails, reason] } };
  if (observed.phase !== "failed") return record;
  return withObserved(record, { errorDetails: [...observed.errorDetails, reason] });
}

function exitMessage(exit: InstanceExit, seconds: number, comesBack: boolean): OwnerMessage {
  if (exit.cause === "vanished") return { code: "ended_with_host", comesBack };
  if (exit.isOutOfMemory) return { code: "ended_out_of_memory", seconds, comesBack };
  return { code: "ended", exitCode: exit.code, seconds, comesBack };
}
