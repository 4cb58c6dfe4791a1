/** Waits until a requested run has come up, or certainly will not. */

import type { Client, LastExit, Project, Version } from "@tijolo/protocol";
import type { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { ComingUp, type ComingUpEnd } from "./coming-up.ts";
import { findVersions } from "./find-versions.ts";
import { nudgeAfter, watchUntil } from "./watch-project.ts";

export interface RequestedRun {
  client: Client;
  projectId: string;
  /**
   * Version that is to come up; the service reports when it has. Null for a start or restart of code that has
   * come up before, and for a key that may not read versions: then the run has to last.
   */
  versionNumber: number | null;
  /** The project's last exit before the request. */
  lastExit: LastExit | null;
  deadlineMs: number;
  /** Cuts a pause short when something is known to have changed. */
  nudge: Latch;
}

export interface ComingUpResult {
  end: ComingUpEnd;
  project: Project;
  /** True for a site that runs and does not answer on its port yet. */
  isStarting: boolean;
  /** Versions, newest first; empty when they were not read. */
  versions: readonly Version[];
}

/** Waits for the end. Throws CommandFailure when the deadline passes; the project goes on all the same. */
export async function awaitComingUp(context: CommandContext, run: RequestedRun): Promise<ComingUpResult> {
  const { output, messages, clock } = context;
  const { nudge, deadlineMs, lastExit, versionNumber } = run;
  const comingUp = new ComingUp({
    clock,
    recheck: (afterMs) => nudgeAfter(nudge, afterMs),
    exitBefore: lastExit?.exitedAt ?? null,
  });
  let end: ComingUpEnd | null = null;
  const isDone = ({ project, versions }: Look) => {
    output.progress(messages.project.isNow(project.name, messages.status[project.status]));
    const version = versions.find(({ number }) => number === versionNumber) ?? null;
    end = comingUp.judge({ project, version });
    return end !== null;
  };
  const { project, isStarting, versions } = await watchUntil(context, {
    look: () => look(context, run),
    deadlineMs,
    isDone,
    nudge,
  });
  return { end: end ?? "silent", project, isStarting, versions };
}

type Look = Omit<ComingUpResult, "end">;

/**
 * Reads the project, and its versions only once they may decide: each request counts. A version is `live`
 * also when its run has just ended, so the project is read again after it.
 */
async function look({ signal }: CommandContext, run: RequestedRun): Promise<Look> {
  const { client, projectId, versionNumber } = run;
  const read = async () => {
    const { project, isStarting = false } = await client.getProject({ id: projectId }, { signal });
    return { project, isStarting };
  };
  const seen = await read();
  const isPrepared = seen.project.status !== "creating" && seen.project.status !== "installing";
  if (versionNumber === null || !isPrepared) return { ...seen, versions: [] };
  const versions = (await findVersions(client, projectId, signal)) ?? [];
  const isLive = versions.some(({ number, status }) => number === versionNumber && status === "live");
  return isLive ? { ...(await read()), versions } : { ...seen, versions };
}
