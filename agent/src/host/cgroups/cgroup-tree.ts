/** Walking, emptying and removing directories of one mounted cgroup hierarchy. */

import { readFileSync } from "node:fs";
import { mkdir, readdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit";

/** Directories below `directory`, deepest first, then itself. Empty when it does not exist. */
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

/** By the v2 file `cgroup.events`. */
export async function isTreePopulated(directory: string): Promise<boolean> {
  return saysPopulated(readOrEmpty(join(directory, "cgroup.events")));
}

/** Text of the v2 file `cgroup.events`. */
export function saysPopulated(events: string): boolean {
  return field(events, "populated") === 1;
}

/**
 * By the v2 file `cgroup.kill`, repeated: a process that joins between the two is killed by the next round.
 */
export async function killTree(directory: string, deadlineMs: number): Promise<void> {
  const isEmpty = async () => {
    if (!(await isTreePopulated(directory))) return true;
    await orWhenGone(writeFile(join(directory, "cgroup.kill"), "1"), undefined);
    return false;
  };
  if (!(await poll(isEmpty, { timeoutMs: deadlineMs, everyMs: 1, maxEveryMs: 50 })))
    throw new Error(`processes in ${directory} are still there ${deadlineMs} ms after being killed`);
}

/** A group that was just emptied can be busy for another moment. */
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

export async function makeGroup(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
}

/**
 * At once: the kernel makes these files in memory when they are read, in some 5 µs. To have another thread
 * wait for that takes ten times as much. What is read again and again is kept open besides (`kept-file.ts`).
 */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isGone(error)) return "";
    throw error;
  }
}

/** Value of `key value` lines; 0 when there is no such line. */
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

/** Groups vanish at any time: no such file, no such device. */
async function orWhenGone<T>(promise: Promise<T>, fallback: T): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (isGone(error)) return fallback;
    throw error;
  }
}

/** No such file; or it was open, and its group is gone. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENODEV");
}
