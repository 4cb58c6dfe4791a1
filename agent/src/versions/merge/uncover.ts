/** Merges the layer of new code, or of an install, with what the project wrote itself. */

import { rm, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "../../host/files/directory-entries.ts";
import { removeTree } from "../../host/files/trees.ts";
import { makeCounterpart } from "./counterpart.ts";
import { findEntry, holdDirectory, within } from "./held-directory.ts";
import { LazyDirectory } from "./lazy-directory.ts";
import { renewDirectory, setMark, takeBack, takeBackMarked } from "./renew-directory.ts";
import { openSet, setAside, type Aside, type FoundEntry } from "./set-aside.ts";

/**
 * Takes out of `upper` (what the project wrote under /app) every file that `layer` has too, so that new code
 * wins; all else stays. What the program changed or made itself is moved to `aside`; where that is undefined,
 * it is removed. Must be called only while nothing of the project runs. Each directory is held open and
 * worked on by that, never found again by its path: if one were swapped for a link all the same, it would not
 * lead outside.
 *
 * An agent that is killed in the middle loses nothing: a file is moved by one rename, so it is in one of the
 * two places, and the next agent goes on with those that are left.
 */
export async function uncover(layer: string, upper: string, aside?: Aside): Promise<void> {
  await using held = await holdDirectory(upper);
  if (held === undefined) return;
  const mark = `${upper}-renewing`;
  await takeBackMarked(held, mark);
  const keeping = aside === undefined ? undefined : { aside, open: () => openSet(aside) };
  await uncoverIn(layer, held, { path: "", mark, keeping });
}

/** State of the merge. `path` is the directory below the whole upper one. `mark`: see {@link setMark}. */
interface Uncovering {
  path: string;
  mark: string;
  /** Undefined when nothing is kept. `open` opens the directory of the set that stands for this one. */
  keeping: { aside: Aside; open: () => Promise<FileHandle> } | undefined;
}

async function uncoverIn(
  layer: string,
  upper: FileHandle,
  { path, mark, keeping }: Uncovering,
): Promise<void> {
  await using place = new LazyDirectory(keeping?.open ?? noPlace);
  for await (const entry of entriesOf(layer)) {
    if (entry.isDirectory()) await takeBack(upper, entry.name);
    const stats = await findEntry(upper, entry.name);
    if (stats === null) continue;
    const below = join(path, entry.name);
    if (!entry.isDirectory() || !stats.isDirectory()) {
      const found = { directory: upper, place, path: below, name: entry.name, stats };
      await takeOut(found, join(layer, entry.name), keeping?.aside);
      continue;
    }
    await using directory = await holdDirectory(within(upper, entry.name));
    if (directory === undefined) continue;
    const open = async () => makeCounterpart(directory, await place.hold(), entry.name);
    await uncoverIn(join(layer, entry.name), directory, {
      path: below,
      mark,
      keeping: keeping === undefined ? undefined : { ...keeping, open },
    });
    await setMark(mark, below);
    await renewDirectory(upper, entry.name, directory);
    await rm(mark, { force: true });
  }
}

/** Takes one entry of the project out of the way, which the layer has too. */
async function takeOut(found: FoundEntry, newFile: string, aside: Aside | undefined): Promise<void> {
  if (aside !== undefined && (await setAside(aside, found, newFile))) return;
  const covering = within(found.directory, found.name);
  await (found.stats.isDirectory() ? removeTree(covering) : unlink(covering));
}

async function noPlace(): Promise<never> {
  throw new Error("nothing is kept of what an install replaces");
}
