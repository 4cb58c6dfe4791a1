/** Stops a project's run, once the visits that it answers are over where another run follows. */

import { defaultDrainSeconds, type Assignment, type DeployMode } from "@tijolo/protocol";
import type { Instance } from "../../runtime/runtime.ts";
import { leavingAnswers } from "../leaving-run.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { withObserved } from "../record.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
export const stopGraceMs = 10_000;

/**
 * Stops the project. The phase is saved first, so that the exit that follows is known to be requested, also
 * by a next agent.
 */
export async function stop(worker: ProjectHandle, signal: AbortSignal): Promise<void> {
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
    const found = await findRun(worker, worker.instance.runNumber);
    if (found === undefined) worker.instance = undefined;
    else worker.see(found);
  }
}

/**
 * Stops the run, and any other but one that leaves. When another run follows, its visitors wait for that run,
 * and visits under way may finish.
 */
async function stopRun(worker: ProjectHandle, { runNumber }: Instance, signal: AbortSignal): Promise<void> {
  const { context, projectId, assignment, record } = worker;
  const which = record.leaving === null ? {} : { runNumber };
  try {
    // While another run answers the visits, none comes here, and none may be kept from that one.
    const isFollowed = assignment?.run === "on" && !leavingAnswers(worker);
    if (isFollowed) await drain(worker, assignment, { runNumber, next: "hold", signal });
    await context.runtime.stop(projectId, { graceMs: stopGraceMs, ...which });
  } catch (error) {
    context.visits.open(projectId);
    throw error;
  }
}

/**
 * Waits for the visits under way, which a stop for good ends. Where the next run answers meanwhile (`next` is
 * `overlap`) nobody waits for that, so WebSockets and streams of events are given the time, too. Waits no longer
 * once `signal` is aborted, and rejects when that is because the agent ends: the next one stops the run.
 */
export async function drain(
  worker: ProjectHandle,
  { drainSeconds }: Assignment,
  { runNumber, next, signal }: { runNumber: number; next: DeployMode; signal: AbortSignal },
): Promise<void> {
  const { context, projectId, record } = worker;
  const seconds = drainSeconds ?? defaultDrainSeconds[next];
  const hasStreams = next === "overlap";
  const closed = context.visits.close(projectId, runNumber, { finishMs: seconds * 1000, hasStreams, signal });
  // The phase says already that it stops, and gateways may still send visits by what they heard before.
  if (record.startedWith?.port != null)
    await context.drainSite({ projectId, runNumber, seconds, hasStreams }, signal);
  await closed;
  if (worker.isClosing) signal.throwIfAborted();
}

/** Returns a run as the runtime knows it. */
export async function findRun(
  { context, projectId }: ProjectHandle,
  runNumber: number,
): Promise<Instance | undefined> {
  const instances = await context.runtime.instances();
  return instances.find((each) => each.projectId === projectId && each.runNumber === runNumber);
}

/** Counts as done the starts that a stop request overtook. */
export function startsHeard({ assignment, record }: ProjectHandle): { restartCount: number } {
  const { restartCount } = record.observed;
  return {
    restartCount: assignment?.run === "off" ? Math.max(restartCount, assignment.restartCount) : restartCount,
  };
}
