/** Ends the run that leaves, or makes it the newest again (`leaving-run.ts`). */

import type { Instance } from "../../runtime/runtime.ts";
import { returned } from "../leaving-run.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { pruneUnused } from "./prune-unused.ts";
import { drain, findRun, stopGraceMs } from "./stop-project.ts";

/**
 * Ends the run that leaves: visits go to the newest already, those under way may finish, unless the project
 * is stopped, or the newest has ended or is to be replaced. What an agent that was killed has left of it is done
 * by the next one.
 */
export async function retire(worker: ProjectHandle, signal: AbortSignal): Promise<void> {
  const { context, projectId, record, assignment } = worker;
  if (record.leaving === null) return;
  const { runNumber } = record.leaving;
  if (worker.leaving?.exit === null) {
    if (assignment?.run === "on") await drain(worker, assignment, { runNumber, next: "overlap", signal });
    await context.runtime.stop(projectId, { graceMs: stopGraceMs, runNumber });
  }
  // Nearly always the runtime has told of the end already.
  const ended = worker.leaving?.exit === null ? await findRun(worker, runNumber) : worker.leaving;
  if (ended?.exit === null) throw new Error(`run ${runNumber} has been stopped and goes on`);
  if (ended !== undefined) await context.runtime.forget(ended);
  await context.network.releaseLeaving(projectId);
  worker.leaving = undefined;
  worker.save({ ...worker.record, leaving: null });
  await pruneUnused(worker);
}

/** Makes the run that leaves the newest again: it has answered all the while. */
export async function returnToLeaving(worker: ProjectHandle, leaving: Instance): Promise<void> {
  const { context, projectId } = worker;
  await context.network.takeBack(projectId);
  worker.leaving = undefined;
  worker.instance = leaving;
  worker.save(returned(worker.record));
  await pruneUnused(worker);
}
