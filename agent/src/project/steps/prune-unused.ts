/** Frees the files of versions that a project neither runs nor goes back to. */

import { measureDirectory } from "../../host/files/measure-directory.ts";
import { pruneVersions, versionDirectory } from "../../versions/version-files.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { ProjectRecord } from "../record.ts";
import { servingVersion } from "../reported-state.ts";
import { directoryOf, installsOf, withinBounds } from "../succession.ts";

const measureTimeoutMs = 20_000;

/** Gives up what is beyond the bounds of kept versions, and removes every version that nothing needs. */
export async function pruneUnused(worker: ProjectHandle): Promise<void> {
  const { context, projectId, assignment } = worker;
  if (assignment === undefined) return;
  const kept = withinBounds(worker.record, assignment.diskMb);
  if (JSON.stringify(kept) !== JSON.stringify(worker.record)) worker.save(kept);
  await pruneVersions(context.dataDirectory, projectId, directoriesOf(worker));
}

/**
 * Forgets the install of a version that neither came up, nor runs, nor comes back: newer code takes its room.
 */
export function withoutUnused(record: ProjectRecord, isUp: boolean): ProjectRecord {
  const isNeeded = isUp || record.hasProven || servingVersion(record) !== null;
  return isNeeded ? record : { ...record, installed: null };
}

/** Returns the record with the size of what runs, which decides later whether its files are kept. */
export async function withSize({ context, projectId, record }: ProjectHandle, signal: AbortSignal) {
  const { installed } = record;
  if (installed === null || installed.sizeMb !== undefined) return record;
  const directory = versionDirectory(context.dataDirectory, projectId, directoryOf(installed));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(measureTimeoutMs)]);
  const sizeMb = await measureDirectory(directory, deadline).catch(() => undefined);
  return sizeMb === undefined ? record : { ...record, installed: { ...installed, sizeMb } };
}

/** Returns the numbers of the directories that a project needs. */
function directoriesOf({ record, instance }: ProjectHandle): number[] {
  return [
    ...installsOf(record).map(directoryOf),
    ...(record.next === null ? [] : [record.next.versionNumber]),
    ...(instance === undefined ? [] : [instance.versionNumber]),
  ];
}
