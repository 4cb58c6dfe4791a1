/**
 * Searches directories that programs write to meanwhile: what is removed before it is read counts as missing;
 * all else is an error.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the paths of all files below the directory, which exists itself; no links are followed. */
export async function filesBelow(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path).catch(orIfGone([]))));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Returns those of the files that contain the text. */
export async function filesWith(paths: readonly string[], text: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const bytes = await readFile(path).catch(orIfGone(null));
    if (bytes?.includes(text) === true) found.push(path);
  }
  return found;
}

function orIfGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return value;
  };
}
