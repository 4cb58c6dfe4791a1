/**
 * Notes what of a set is to be brought back at the project's next start: it is moved to a directory beside
 * the set, where the start finds it. So the request needs no other memory, and outlives the agent.
 */

import { rename, rmdir, type FileHandle } from "node:fs/promises";
import { holdMade, withCounterpart } from "./counterpart.ts";
import { findEntry, holdDirectory, namesIn, within, type EntryName } from "./held-directory.ts";
import { maxDepth } from "./replaced-set.ts";

/**
 * Moves the entry at `path`, or all there is with null, from the set to `staging`. Returns false when there
 * is no such entry. What has been requested before under the same path stays requested, and the newer one
 * stays in the set.
 */
export async function stageRestore(
  set: string,
  staging: string,
  path: readonly string[] | null,
): Promise<boolean> {
  await using from = await holdDirectory(set);
  if (from === undefined || (path !== null && !(await hasEntry(from, path))))
    return await isStaged(staging, path);
  await using into = await holdMade(staging);
  const name = path?.at(-1);
  if (path === null || name === undefined) await moveAll(from, into, 0);
  else
    await withCounterpart(from, into, path.slice(0, -1), (source, target) =>
      moveOne({ from: source, into: target, name, depth: path.length }),
    );
  return true;
}

async function isStaged(staging: string, path: readonly string[] | null): Promise<boolean> {
  await using held = await holdDirectory(staging);
  return held !== undefined && (path === null || (await hasEntry(held, path)));
}

/** Returns the names that a path consists of; undefined when no entry of a set can have the path. */
export function namesOf(path: string): string[] | undefined {
  const names = path.replace(/\/+$/, "").split("/");
  const isOdd = names.some((name) => ["", ".", ".."].includes(name) || name.includes("\0"));
  return isOdd || names.length > maxDepth ? undefined : names;
}

async function hasEntry(directory: FileHandle, [name = "", ...rest]: readonly string[]): Promise<boolean> {
  if (rest.length === 0) return (await findEntry(directory, name)) !== null;
  await using below = await holdDirectory(within(directory, name));
  return below !== undefined && (await hasEntry(below, rest));
}

async function moveAll(from: FileHandle, into: FileHandle, depth: number): Promise<void> {
  for await (const name of namesIn(from)) await moveOne({ from, into, name, depth });
}

interface Move {
  from: FileHandle;
  into: FileHandle;
  name: EntryName;
  /** Number of directories above it. */
  depth: number;
}

async function moveOne({ from, into, name, depth }: Move): Promise<void> {
  if ((await findEntry(into, name)) === null) return rename(within(from, name), within(into, name));
  await using source = await holdDirectory(within(from, name));
  await using target = await holdDirectory(within(into, name));
  if (source === undefined || target === undefined || depth >= maxDepth) return;
  await moveAll(source, target, depth + 1);
  await rmdir(within(from, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY") throw error;
  });
}
