/** Waits until a requested run has come up, or certainly will not. */

import type { Client, LastExit } from "@tijolo/protocol";
import type { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { ComingUp, type ComingUpEnd } from "./coming-up.ts";
import { sightRun, type RunSight } from "./sight-run.ts";
import { nudgeAfter, watchUntil } from "./watch-project.ts";

export interface RequestedRun {
  client: Client;
  projectId: string;
  /**
   * Version that is to come up; the service reports when it has. Null for a start or restart of code that has
   * come up before, and for a key that may not read versions: then the run has to last.
   */
  versionNumber: number | null;
  /** True when the service has already reported the version, and reports nothing when it runs: so, too. */
  isReported?: boolean;
  /** The project's last exit before the request. */
  lastExit: LastExit | null;
  deadlineMs: number;
  /** Cuts a pause short when something is known to have changed. */
  nudge: Latch;
}

export interface ComingUpResult extends RunSight {
  end: ComingUpEnd;
}

/**
 * Waits for the end, and returns it with the state that decided it. Throws CommandFailure when the deadline passes; the project
 * goes on all the same.
 */
export async function awaitComingUp(context: CommandContext, run: RequestedRun): Promise<ComingUpResult> {
  const { output, messages, clock } = context;
  const { nudge, deadlineMs, lastExit, versionNumber, isReported = false } = run;
  const comingUp = new ComingUp({
    clock,
    recheck: (afterMs) => nudgeAfter(nudge, afterMs),
    exitBefore: lastExit?.exitedAt ?? null,
  });
  let end: ComingUpEnd | null = null;
  const isDone = ({ project, versions }: RunSight) => {
    output.progress(messages.project.isNow(project.name, messages.status[project.status]));
    const version = versions.find(({ number }) => number === versionNumber) ?? null;
    end = comingUp.judge({ project, version: isReported ? null : version });
    return end !== null;
  };
  const { project, isStarting, versions } = await watchUntil(context, {
    look: () => sightRun(run, context.signal),
    deadlineMs,
    isDone,
    nudge,
  });
  return { end: end ?? "silent", project, isStarting, versions };
}
