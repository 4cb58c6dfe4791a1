/**
 * Reads what a requested run is judged by, and what is shown of it in the end: the project and its versions,
 * of one moment. The service gives them in two answers, and a run may end between the two.
 */

import type { Client, Project, Version } from "@tijolo/protocol";
import { findVersions } from "./find-versions.ts";

/** Most times that versions are read for one look; a project that moves on all the time is read last. */
const maxTurns = 3;

export interface SightedRun {
  client: Client;
  projectId: string;
  /** Version that is to come up; null: no versions are read. */
  versionNumber: number | null;
}

export interface RunSight {
  project: Project;
  /** True for a site that runs and does not answer on its port yet. */
  isStarting: boolean;
  /** Versions, newest first; empty when they were not read. */
  versions: readonly Version[];
}

/**
 * Reads versions only once they may decide: each request counts. Where they do, the project is read again
 * after them, and both once more where it has changed meanwhile.
 */
export async function sightRun(run: SightedRun, signal: AbortSignal): Promise<RunSight> {
  const { client, projectId, versionNumber } = run;
  const read = async () => {
    const { project, isStarting = false } = await client.getProject({ id: projectId }, { signal });
    return { project, isStarting };
  };
  let seen = await read();
  const isPrepared = seen.project.status !== "creating" && seen.project.status !== "installing";
  if (versionNumber === null || !isPrepared) return { ...seen, versions: [] };
  for (let turn = 1; ; turn++) {
    const versions = (await findVersions(client, projectId, signal)) ?? [];
    const status = versions.find(({ number }) => number === versionNumber)?.status ?? "installing";
    if (status === "installing") return { ...seen, versions };
    const before = seen;
    seen = await read();
    if (turn === maxTurns || isSameState(before.project, seen.project)) return { ...seen, versions };
  }
}

/** True when the project has not moved on between two answers, whatever it used meanwhile. */
function isSameState(before: Project, after: Project): boolean {
  return stateOf(before) === stateOf(after);
}

function stateOf({ status, error, startedAt, consecutiveCrashes, lastExit }: Project): string {
  return JSON.stringify([status, error, startedAt, consecutiveCrashes, lastExit]);
}
