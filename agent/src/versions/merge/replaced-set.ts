/** Describes what one merge set aside, with bounded work, whatever a tenant has put there. */

import type { FileHandle } from "node:fs/promises";
import { maxReplacedCount, maxReplacedPathLength, maxReplacedPaths, toPlainText } from "@tijolo/protocol";
import { findEntry, holdDirectory, namesIn, within } from "./held-directory.ts";

/** Directories below each other that are walked; a deeper one is moved and counted as one entry. */
export const maxDepth = 64;
/** Largest number of characters of all paths together, because they travel in reports. */
const maxPathCharacters = 3_000;

export interface Contents {
  /** Number of files and links; of very many, only the first entries are counted. */
  count: number;
  sizeBytes: number;
  /** Paths of the first files, sorted. */
  paths: string[];
}

interface Tally extends Contents {
  entries: number;
  characters: number;
}

/** Describes the contents of the directories together; one that does not exist is empty. */
export async function describeContents(directories: readonly string[]): Promise<Contents> {
  const tally: Tally = { count: 0, sizeBytes: 0, paths: [], entries: 0, characters: 0 };
  for (const directory of directories) {
    await using held = await holdDirectory(directory);
    if (held !== undefined) await addContents(tally, held, { above: "", depth: 0 });
  }
  const { count, sizeBytes, paths } = tally;
  return { count, sizeBytes, paths: paths.toSorted() };
}

async function addContents(
  tally: Tally,
  directory: FileHandle,
  { above, depth }: { above: string; depth: number },
): Promise<void> {
  for await (const name of namesIn(directory)) {
    if (tally.entries >= maxReplacedCount) return;
    tally.entries++;
    const path = above + toPlainText(name.toString());
    const stats = await findEntry(directory, name);
    if (stats === null) continue; // moved meanwhile
    if (!stats.isDirectory()) {
      addPath(tally, path);
      tally.sizeBytes += stats.size;
    } else if (depth >= maxDepth) {
      addPath(tally, `${path}/`);
    } else {
      await using below = await holdDirectory(within(directory, name));
      if (below !== undefined) await addContents(tally, below, { above: `${path}/`, depth: depth + 1 });
    }
  }
}

function addPath(tally: Tally, path: string): void {
  tally.count++;
  const shown = path.length > maxReplacedPathLength ? `${path.slice(0, maxReplacedPathLength - 1)}…` : path;
  if (tally.paths.length >= maxReplacedPaths || tally.characters + shown.length > maxPathCharacters) return;
  tally.paths.push(toPlainText(shown));
  tally.characters += shown.length;
}
