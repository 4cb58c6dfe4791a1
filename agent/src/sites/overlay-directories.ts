/**
 * Finds a directory in the layers of an overlay as a container sees it: what is removed or replaced in an
 * upper layer hides what lies below. No link is followed, whatever a build has made.
 */

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../host/exec.ts";

/** Numbers of lgetxattr(2), which Perl does not know by its name. */
const systemCalls: Partial<Record<NodeJS.Architecture, number>> = { x64: 192, arm64: 9 };

/**
 * Returns the directories called `name` that are seen together, topmost first; none where the topmost entry
 * of the name is something else, or there is no such entry. `directories` are those of the layers around it.
 */
export async function directoriesBelow(directories: readonly string[], name: string): Promise<string[]> {
  const found: string[] = [];
  for (const directory of directories) {
    const path = join(directory, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) continue;
    if (!stats.isDirectory()) break; // also what an overlay marks a removed name with
    found.push(path);
  }
  if (found.length < 2) return found;
  const hiding = await firstHiding(found.slice(0, -1));
  return hiding === -1 ? found : found.slice(0, hiding + 1);
}

/** Returns the index of the first directory that a layer replaced as a whole; -1 when there is none. */
async function firstHiding(directories: readonly string[]): Promise<number> {
  const systemCall = systemCalls[process.arch];
  if (process.platform !== "linux" || systemCall === undefined) return -1;
  const script = join(import.meta.dirname, "first-opaque.pl");
  const { stdout } = await exec(["perl", script, String(systemCall), ...directories]);
  return Number.parseInt(stdout, 10);
}
