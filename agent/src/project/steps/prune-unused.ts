/** Frees the files of versions that a project neither runs nor goes back to. */

import { measureDirectory } from "../../host/files/measure-directory.ts";
import { pruneVersions, versionDirectory } from "../../versions/version-files.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { ProjectRecord } from "../record.ts";
import { servingVersion } from "../reported-state.ts";
import { directoryOf, installsOf, isOnTrial, withinBounds } from "../succession.ts";

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
 * Returns the record without the installs that neither what runs nor a trial needs: a rollback to them
 * installs anew, and so does another try of a version that did not come up. Undefined when there are none.
 */
export function withoutSpare(record: ProjectRecord): ProjectRecord | undefined {
  const { earlier, kept, next } = record;
  const isEarlierSpare = earlier !== null && !isOnTrial(record);
  const isNextSpare = next !== null && next.phase === "failed" && next.deployed !== null;
  if (kept.length === 0 && !isEarlierSpare && !isNextSpare) return undefined;
  return {
    ...record,
    kept: [],
    earlier: isEarlierSpare ? null : earlier,
    next: isNextSpare ? { ...next, deployed: null } : next,
  };
}

/** Removes those installs with their files; returns false when there are none. */
export async function freeSpare(worker: ProjectHandle): Promise<boolean> {
  const spared = withoutSpare(worker.record);
  if (spared === undefined) return false;
  worker.context.logger.info({ projectId: worker.projectId }, "kept versions make room on a full disk");
  worker.save(spared);
  await pruneUnused(worker);
  return true;
}

/** Forgets the install of a version that neither came up, nor runs, nor comes back: newer code takes its room. */
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
  const { next } = record;
  return [
    ...installsOf(record).map(directoryOf),
    // Of one that has failed only a finished install is needed: a start tries that again.
    ...(next === null || next.phase === "failed" ? [] : [next.versionNumber]),
    ...(instance === undefined ? [] : [instance.versionNumber]),
    ...(record.leaving === null ? [] : [record.leaving.directory]),
  ];
}
