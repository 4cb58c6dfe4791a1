/** Walks, empties and removes directories of one mounted cgroup hierarchy. */

import { readFileSync } from "node:fs";
import { readdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit";
import { makeOpenDirectory } from "../files/open-files.ts";

/** Returns directories below `directory`, deepest first, then itself; empty when it does not exist. */
async function treeDeepestFirst(directory: string): Promise<string[]> {
  const below: string[] = [];
  for (const name of await childNames(directory))
    below.push(...(await treeDeepestFirst(join(directory, name))));
  return (await exists(directory)) ? [...below, directory] : below;
}

export async function childNames(directory: string): Promise<string[]> {
  const entries = await orWhenGone(readdir(directory, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

export async function treePids(directory: string): Promise<number[]> {
  const pids = new Set<number>();
  for (const group of await treeDeepestFirst(directory)) {
    for (const line of readOrEmpty(join(group, "cgroup.procs")).split("\n"))
      if (line !== "") pids.add(Number(line));
  }
  return [...pids];
}

/** Reads the v2 file `cgroup.events`. */
export async function isTreePopulated(directory: string): Promise<boolean> {
  return saysPopulated(readOrEmpty(join(directory, "cgroup.events")));
}

/** `events` is the text of the v2 file `cgroup.events`. */
export function saysPopulated(events: string): boolean {
  return field(events, "populated") === 1;
}

/** Writes the v2 file `cgroup.kill` repeatedly: one that joins between two rounds is killed by the next. */
export async function killTree(directory: string, deadlineMs: number): Promise<void> {
  const isEmpty = async () => {
    if (!(await isTreePopulated(directory))) return true;
    await orWhenGone(writeFile(join(directory, "cgroup.kill"), "1"), undefined);
    return false;
  };
  if (!(await poll(isEmpty, { timeoutMs: deadlineMs, everyMs: 1, maxEveryMs: 50 })))
    throw new Error(`processes in ${directory} are still there ${deadlineMs} ms after being killed`);
}

/** Retries the removal, because a group that was just emptied can be busy for another moment. */
export async function removeTree(directory: string): Promise<void> {
  let failure: unknown;
  const isRemoved = async () => {
    try {
      for (const group of await treeDeepestFirst(directory)) await orWhenGone(rmdir(group), undefined);
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  if (!(await poll(isRemoved, { timeoutMs: 250, everyMs: 2, maxEveryMs: 128 }))) throw failure;
}

/**
 * Creates the group and its missing parents, open for all to enter: a container mounts its cgroup file system
 * with the rights of its user namespace, in which the owner of the parents is nobody.
 */
export async function makeGroup(directory: string): Promise<void> {
  await makeOpenDirectory(directory);
}

/**
 * Reads synchronously: the kernel makes these files in memory when they are read, in some 5 µs, and to wait
 * for another thread takes ten times as much. Files that are read often are also kept open (`kept-file.ts`).
 */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isGone(error)) return "";
    throw error;
  }
}

/** Returns the value of a `key value` line; 0 when there is no such line. */
export function field(text: string, key: string): number {
  const at = `\n${text}`.indexOf(`\n${key} `);
  return at === -1 ? 0 : Number.parseInt(text.slice(at + key.length + 1), 10);
}

async function exists(directory: string): Promise<boolean> {
  return orWhenGone(
    readdir(directory).then(() => true),
    false,
  );
}

/** Returns the default when the group is gone, which can happen at any time: no such file, no such device. */
async function orWhenGone<T>(promise: Promise<T>, fallback: T): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (isGone(error)) return fallback;
    throw error;
  }
}

/** True for no such file, and for an open file whose group is gone. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENODEV");
}
