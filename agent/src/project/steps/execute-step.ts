/** Carries out one step of a project's plan. */

import { defaultDrainSeconds, type Assignment } from "@tijolo/protocol";
import { installVersion } from "./install-version.ts";
import { pruneUnused } from "./prune-unused.ts";
import { recordExit } from "./record-exit.ts";
import { withObserved } from "../record.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { Instance } from "../../runtime/runtime.ts";
import { startProject } from "./start-project.ts";
import type { Step } from "../step.ts";
import { comeUp, takeNext } from "../succession.ts";
import { takeBack } from "./take-back.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
const stopGraceMs = 10_000;

/**
 * Executes a step. Aborting `signal` interrupts only an install, a start's wait for its image, and a stop's
 * wait for visits under way. Rejects for faults of the host: the step is tried again later.
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
    case "take-over":
      return worker.save(takeNext(worker.record, worker.assignment?.run ?? "off"));
    case "forget-next":
      return worker.save({ ...worker.record, next: null, interruptedInstalls: 0 });
    case "start":
      return startProject(worker, step.isFresh, signal);
    case "stop":
      return stop(worker, signal);
    case "settle":
      return settle(worker);
    case "adopt":
      return worker.save(
        withObserved(worker.record, { phase: "running", startedAt: step.instance.startedAt.toISOString() }),
      );
    case "come-up":
      worker.save(comeUp(worker.record));
      return pruneUnused(worker);
    case "take-back":
      return takeBack(worker, { reason: step.reason, isTold: true }); // by the port watch, which gave it
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
 * Stops the project. The phase is saved first, so that the exit that follows is known to be requested, also
 * by a next agent.
 */
async function stop(worker: ProjectHandle, signal: AbortSignal): Promise<void> {
  const { context, projectId } = worker;
  if (worker.instance === undefined) {
    const phase = worker.assignment?.run === "on" ? "stopping" : "ready";
    worker.save(withObserved(worker.record, { phase, startedAt: null, ...startsHeard(worker) }));
    return;
  }
  const { phase, versionNumber } = worker.record.observed;
  // A run of another version gives way to the one that is to run, whose state goes on.
  const isOfOther = worker.instance.versionNumber !== versionNumber && versionNumber !== 0;
  if (!isOfOther && (phase === "running" || phase === "starting" || phase === "waiting")) {
    worker.save(withObserved(worker.record, { phase: "stopping", ...startsHeard(worker) }));
  }
  await stopRun(worker, worker.instance, signal);
  // Nearly always the runtime has told of the end already.
  if (worker.instance?.exit === null) {
    const found = (await context.runtime.instances()).find((instance) => instance.projectId === projectId);
    if (found === undefined) worker.instance = undefined;
    else worker.see(found);
  }
}

/** Stops the run. When another run follows, its visitors wait for that run, and visits under way may finish. */
async function stopRun(worker: ProjectHandle, { runNumber }: Instance, signal: AbortSignal): Promise<void> {
  const { context, projectId, assignment } = worker;
  try {
    if (assignment?.run === "on") await drain(worker, assignment, { runNumber, signal });
    await context.runtime.stop(projectId, { graceMs: stopGraceMs });
  } catch (error) {
    context.visits.open(projectId);
    throw error;
  }
}

/**
 * Waits for the visits under way, which a stop for good ends. Rejects when the agent ends meanwhile: the next
 * one stops the run.
 */
async function drain(
  worker: ProjectHandle,
  { drainSeconds: seconds = defaultDrainSeconds }: Assignment,
  { runNumber, signal }: { runNumber: number; signal: AbortSignal },
): Promise<void> {
  const { context, projectId, record } = worker;
  const closed = context.visits.close(projectId, runNumber, { finishMs: seconds * 1000, signal });
  // The phase says already that it stops, and gateways may still send visits by what they heard before.
  if (record.startedWith?.port != null) await context.drainSite({ projectId, runNumber, seconds }, signal);
  await closed;
  if (worker.assignment?.run === "on") signal.throwIfAborted();
}

async function remove(worker: ProjectHandle): Promise<void> {
  const { context, projectId } = worker;
  await context.runtime.remove(projectId);
  await context.statics?.withdraw(projectId);
  await context.disks.remove(projectId);
  await context.network.release(projectId);
  context.visits.open(projectId);
  await context.logs.remove(projectId);
  context.ledger.removeProject(projectId);
  context.noteRemoved();
}
