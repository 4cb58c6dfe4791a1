/** Merges the layer of new code, or of an install, with what the project wrote itself. */

import type { Dirent, Stats } from "node:fs";
import { rm, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "../../host/files/directory-entries.ts";
import { removeTree } from "../../host/files/trees.ts";
import { findEntry, holdDirectory, within } from "./held-directory.ts";
import { renewDirectory, setMark, takeBack, takeBackMarked } from "./renew-directory.ts";
import { setAside, type Aside } from "./set-aside.ts";

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
  await uncoverIn(layer, held, { root: held, path: "", mark, aside });
}

/**
 * State of the merge. `root` is the whole upper directory, `path` the one below it that is merged now. `mark`:
 * see {@link setMark}.
 */
interface Uncovering {
  root: FileHandle;
  path: string;
  mark: string;
  aside: Aside | undefined;
}

async function uncoverIn(layer: string, upper: FileHandle, state: Uncovering): Promise<void> {
  for await (const entry of entriesOf(layer)) {
    if (entry.isDirectory()) await takeBack(upper, entry.name);
    const stats = await findEntry(upper, entry.name);
    if (stats === null) continue;
    if (!entry.isDirectory() || !stats.isDirectory()) {
      await takeOut(layer, upper, state, { entry, stats });
      continue;
    }
    await using directory = await holdDirectory(within(upper, entry.name));
    if (directory === undefined) continue;
    const path = join(state.path, entry.name);
    await uncoverIn(join(layer, entry.name), directory, { ...state, path });
    await setMark(state.mark, path);
    await renewDirectory(upper, entry.name, directory);
    await rm(state.mark, { force: true });
  }
}

/** Takes one entry of the project out of the way, which the layer has too. */
async function takeOut(
  layer: string,
  upper: FileHandle,
  { root, path, aside }: Uncovering,
  { entry: { name }, stats }: { entry: Dirent; stats: Stats },
): Promise<void> {
  const found = { root, directory: upper, path, name, stats };
  if (aside !== undefined && (await setAside(aside, found, join(layer, name)))) return;
  const covering = within(upper, name);
  await (stats.isDirectory() ? removeTree(covering) : unlink(covering));
}
