/** Carries out one step of a project's plan. */

import { join } from "node:path";
import type { Assignment, OwnerMessage } from "@tijolo/protocol";
import { explainStep } from "../../diagnosis/explain-step.ts";
import type { Instance, InstanceExit } from "../../runtime/runtime.ts";
import { openSourceTree } from "../../versions/source-tree.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import { afterExit } from "../exit-policy.ts";
import { installVersion } from "./install-version.ts";
import type { Step } from "../plan.ts";
import { withObserved, type ProjectRecord } from "../record.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { startProject } from "./start-project.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
const stopGraceMs = 10_000;

/**
 * Executes a step. Aborting `signal` interrupts only an install, and a start's wait for its image. Rejects
 * for faults of the host: the step is tried again later.
 */
export async function executeStep(
  worker: ProjectHandle,
  step: Exclude<Step, { kind: "idle" }>,
  signal: AbortSignal,
): Promise<void> {
  switch (step.kind) {
    case "record-exit":
      return recordExit(worker, step.ended);
    case "remove":
      return remove(worker);
    case "install":
      return installVersion(worker, signal);
    case "start":
      return startProject(worker, step.isFresh, signal);
    case "stop":
      return stop(worker);
    case "settle":
      return settle(worker);
    case "adopt":
      return worker.save(
        withObserved(worker.record, { phase: "running", startedAt: step.instance.startedAt.toISOString() }),
      );
    case "forgive-crashes":
      return worker.save(withObserved(worker.record, { consecutiveCrashes: 0 }));
  }
}

function settle(worker: ProjectHandle): void {
  const record = { ...worker.record, retryAtMs: null };
  worker.save(
    withObserved(record, {
      phase: "ready",
      startedAt: null,
      errorCode: null,
      errorDetails: [],
      ...startsHeard(worker),
    }),
  );
}

/** Counts as done the starts that a stop request overtook. */
function startsHeard({ assignment, record }: ProjectHandle): { restartCount: number } {
  const { restartCount } = record.observed;
  return {
    restartCount: assignment?.run === "off" ? Math.max(restartCount, assignment.restartCount) : restartCount,
  };
}

/**
 * Reports the exit and applies the policy in one transaction; only then is the instance forgotten, so it
 * counts once.
 */
async function recordExit(worker: ProjectHandle, ended: Instance & { exit: InstanceExit }): Promise<void> {
  const { assignment, context, projectId } = worker;
  if (assignment === undefined) return;
  const { runNumber, endedRunNumber } = worker.record;
  if (ended.runNumber > endedRunNumber && (ended.runNumber === runNumber || runNumber === 0)) {
    const { record, isCrash } = afterExit(assignment, worker.record, ended);
    const exit = {
      code: ended.exit.code,
      isOutOfMemory: ended.exit.isOutOfMemory,
      exitedAt: ended.exit.at.toISOString(),
    };
    const isTold = ended.exit.cause !== "vanished";
    const seconds = Math.max(0, ended.exit.at.getTime() - ended.startedAt.getTime()) / 1000;
    await context.logs.appendMessage(
      projectId,
      "app",
      exitMessage(ended.exit, seconds, record.observed.phase === "waiting"),
      ended.exit.at,
    );
    const explained =
      isCrash && !exit.isOutOfMemory ? await withExplanation(worker, assignment, ended, record) : record;
    worker.save(
      { ...explained, runNumber: Math.max(runNumber, ended.runNumber), endedRunNumber: ended.runNumber },
      isTold ? [{ kind: "exit", runNumber: ended.runNumber, exit, isCrash }] : [],
    );
  }
  await context.runtime.forget(ended);
  if (worker.instance?.runNumber === ended.runNumber) worker.instance = undefined;
}

/** Adds the reason, where the program's last output shows one, to the log and to the project's error. */
async function withExplanation(
  { context, projectId }: ProjectHandle,
  { settings }: Assignment,
  ended: Instance & { exit: InstanceExit },
  record: ProjectRecord,
): Promise<ProjectRecord> {
  const version = versionDirectory(context.dataDirectory, projectId, ended.versionNumber);
  const tree = openSourceTree(join(version, "code"));
  const step = { projectId, section: "app", since: ended.startedAt, settings, tree } as const;
  const message = await explainStep(context, step);
  if (message === undefined) return record;
  await context.logs.appendMessage(projectId, "app", message, ended.exit.at);
  if (record.observed.phase !== "failed") return record;
  return withObserved(record, { errorDetails: [...record.observed.errorDetails, message] });
}

function exitMessage(exit: InstanceExit, seconds: number, comesBack: boolean): OwnerMessage {
  if (exit.cause === "vanished") return { code: "ended_with_host", comesBack };
  if (exit.isOutOfMemory) return { code: "ended_out_of_memory", seconds, comesBack };
  return { code: "ended", exitCode: exit.code, seconds, comesBack };
}

/**
 * Stops the project. The phase is saved first, so that the exit that follows is known to be requested, also
 * by a next agent.
 */
async function stop(worker: ProjectHandle): Promise<void> {
  const { context, projectId } = worker;
  if (worker.instance === undefined) {
    const phase = worker.assignment?.run === "on" ? "stopping" : "ready";
    worker.save(withObserved(worker.record, { phase, startedAt: null, ...startsHeard(worker) }));
    return;
  }
  const { phase } = worker.record.observed;
  if (phase === "running" || phase === "starting" || phase === "waiting") {
    worker.save(withObserved(worker.record, { phase: "stopping", ...startsHeard(worker) }));
  }
  await context.runtime.stop(projectId, { graceMs: stopGraceMs });
  // Nearly always the runtime has told of the end already.
  if (worker.instance?.exit === null) {
    const found = (await context.runtime.instances()).find((instance) => instance.projectId === projectId);
    if (found === undefined) worker.instance = undefined;
    else worker.see(found);
  }
}

async function remove(worker: ProjectHandle): Promise<void> {
  const { context, projectId } = worker;
  await context.runtime.remove(projectId);
  await context.disks.remove(projectId);
  await context.network.release(projectId);
  await context.logs.remove(projectId);
  context.ledger.removeProject(projectId);
  context.noteRemoved();
}
