/** Carries out one step of a project's plan. */

import { installVersion } from "./install-version.ts";
import { pruneUnused } from "./prune-unused.ts";
import { recordExit } from "./record-exit.ts";
import { withObserved } from "../record.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { retire, returnToLeaving } from "./leave.ts";
import { startProject } from "./start-project.ts";
import { startsHeard, stop } from "./stop-project.ts";
import type { Step } from "../step.ts";
import { comeUp, takeNext } from "../succession.ts";
import { takeBack } from "./take-back.ts";

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
    case "set-aside":
      return worker.setAside(step.instance);
    case "retire":
      return retire(worker, signal);
    case "return":
      return returnToLeaving(worker, step.instance);
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
