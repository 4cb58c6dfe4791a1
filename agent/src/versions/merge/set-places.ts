/**
 * Names the places of a project's sets: `replaced/<version>` has what the merge of that version set aside,
 * `replaced/<version>.restoring` what of it comes back at the next start, and `replaced/<version>.merging` is
 * there from the first file that is set aside until the merge is complete. `replaced/<version>.merged` names
 * the version before, from the end of a merge until the agent's ledger knows of it: a start that finds it only
 * brings back what is still to come back, and does not take for the program's changes what came back already.
 */

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureDirectory } from "../../host/files/measure-directory.ts";
import { removeTree } from "../../host/files/trees.ts";

const measureTimeoutMs = 120_000;

export interface SetPlace {
  versionNumber: number;
  /** Directory of what was set aside. */
  set: string;
  /** Directory of what is to be brought back. */
  staging: string;
  /** Mark of a merge that is not complete. */
  merging: string;
  /** Mark of a merge that is complete, while files come back after it. */
  merged: string;
}

export function placeOf(replaced: string, versionNumber: number): SetPlace {
  const set = join(replaced, String(versionNumber));
  return {
    versionNumber,
    set,
    staging: `${set}.restoring`,
    merging: `${set}.merging`,
    merged: `${set}.merged`,
  };
}

/** Returns the places that have something, the newest version first. */
export async function listPlaces(replaced: string): Promise<SetPlace[]> {
  const names = await readdir(replaced).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const numbers = names.map((name) =>
    Number(/^(\d{1,15})(?:\.(?:restoring|merging|merged))?$/.exec(name)?.[1] ?? 0),
  );
  return [...new Set(numbers)]
    .filter((number) => number > 0)
    .toSorted((one, other) => other - one)
    .map((number) => placeOf(replaced, number));
}

/** True when the merge that followed on that of version `before` has been marked as complete. */
export async function isMarkedMerged({ merged }: SetPlace, before: number): Promise<boolean> {
  return (await readFile(merged, "utf8").catch(() => null)) === String(before);
}

export async function markMerged({ merged }: SetPlace, before: number): Promise<void> {
  await writeFile(merged, String(before), { flush: true });
}

/** Returns when something was put into the set last, in milliseconds since 1970; null when there is none. */
export async function changedAt({ set }: SetPlace): Promise<number | null> {
  return stat(set).then(
    ({ mtimeMs }) => Math.round(mtimeMs),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
}

/**
 * Removes the oldest sets until the others take no more than this together. The newest set stays whatever
 * its size, and so does what is to be brought back.
 */
export async function trimSets(replaced: string, maxMb: number): Promise<void> {
  const [, ...older] = await listPlaces(replaced);
  if (older.length === 0) return;
  const signal = AbortSignal.timeout(measureTimeoutMs);
  let takenMb = 0;
  for (const { set } of await listPlaces(replaced)) {
    if ((await stat(set).catch(() => null)) === null) continue;
    const isNewest = takenMb === 0;
    takenMb += Math.max(1, await measureDirectory(set, signal));
    if (!isNewest && takenMb > maxMb) await removeTree(set);
  }
}
