/**
 * Builds the inventory of this host for central: an outline of all its projects, and single projects whole.
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { id, type Assignment, type HeldOutline, type HeldProject } from "@tijolo/protocol";
import type { ProjectDisks } from "../disk/project-disks.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ProjectHandle } from "../project/project-handle.ts";
import { readRecord } from "../project/record.ts";
import { reportedState } from "../project/reported-state.ts";

export interface InventorySources {
  ledger: Ledger;
  disks: Pick<ProjectDisks, "usage">;
  reconciler: { find(projectId: string): Pick<ProjectHandle, "instance"> | undefined };
  dataDirectory: string;
  /** True once central has sent its desired state in the connection that asks. */
  isCompared: () => boolean;
}

interface ProjectSources {
  ledger: Pick<Ledger, "projectIds" | "assignments">;
  dataDirectory: string;
}

/** Projects in one batch; each may have 64 KB of variables. */
const batchSize = 10;

/** Returns the outline of every project on this host, also of those that await their removal. */
export async function takeInventory(sources: InventorySources): Promise<HeldOutline[]> {
  const assignments = assignmentsOf(sources);
  return (await listProjects(sources)).map((projectId) => {
    const assignment = assignments.get(projectId);
    const wanted = assignment && {
      revision: assignment.project?.revision ?? null,
      versionNumber: assignment.versionNumber,
      sha256: assignment.archive.sha256,
    };
    return { projectId, generation: sources.ledger.generationOf(projectId), wanted: wanted ?? null };
  });
}

/**
 * Describes these projects; one that is not here is left out. With null, describes all that central does not
 * want here, and, as long as that is not known, all there are: central leaves out its own.
 */
export async function* describeHeld(
  sources: InventorySources,
  projectIds: readonly string[] | null,
  signal: AbortSignal,
): AsyncGenerator<HeldProject[], void, undefined> {
  const here = await listProjects(sources);
  const assignments = assignmentsOf(sources);
  const unwanted = sources.ledger.unwanted();
  const isCompared = sources.isCompared();
  const isOrphan = (projectId: string) =>
    !isCompared || unwanted.has(projectId) || !assignments.has(projectId);
  const asked =
    projectIds === null ? here.filter(isOrphan) : here.filter((projectId) => projectIds.includes(projectId));
  for (let from = 0; from < asked.length && !signal.aborted; from += batchSize) {
    yield await Promise.all(
      asked
        .slice(from, from + batchSize)
        .map((projectId) => describeOne(sources, projectId, assignments.get(projectId), unwanted)),
    );
  }
}

async function describeOne(
  { ledger, disks, reconciler }: InventorySources,
  projectId: string,
  assignment: Assignment | undefined,
  unwanted: ReadonlyMap<string, number>,
): Promise<HeldProject> {
  const record = readRecord(ledger.findRecord(projectId));
  const since = unwanted.get(projectId);
  const instance = reconciler.find(projectId)?.instance;
  const used = await disks.usage(projectId).catch(() => null);
  return {
    projectId,
    generation: ledger.generationOf(projectId),
    assignment: assignment ?? null,
    observed: record === undefined ? null : reportedState(record),
    unwantedSince: since === undefined ? null : new Date(since).toISOString(),
    isRunning: instance !== undefined && instance.exit === null,
    diskUsedMb: used?.usedMb ?? null,
  };
}

/** Returns the ids of all projects that the ledger knows or that have a disk here. */
export async function listProjects({ ledger, dataDirectory }: ProjectSources): Promise<string[]> {
  const namesIn = (directory: string) => readdir(join(dataDirectory, directory)).catch(() => []);
  const disks = [
    ...(await namesIn("projects")),
    ...(await namesIn("disks")).map((name) => name.replace(/\.img$/, "")),
  ];
  const known = [...ledger.projectIds(), ...ledger.assignments().map(({ projectId }) => projectId)];
  return [...new Set([...known, ...disks.filter((name) => id.safeParse(name).success)])].sort();
}

function assignmentsOf({ ledger }: InventorySources): Map<string, Assignment> {
  return new Map(ledger.assignments().map((assignment) => [assignment.projectId, assignment]));
}
