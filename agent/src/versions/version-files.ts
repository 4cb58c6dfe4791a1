/** Manages a project's uploads on disk. */

import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { entriesOf } from "../host/files/directory-entries.ts";
import { removeTree } from "../host/files/trees.ts";

export function versionDirectory(dataDirectory: string, projectId: string, versionNumber: number): string {
  return join(dataDirectory, "projects", projectId, "versions", String(versionNumber));
}

/**
 * Returns the folder of an upload's `code` that a static site serves; undefined where `root` leads out of it.
 * Code holds no links.
 */
export function servedDirectory(code: string, root: string): string | undefined {
  const directory = join(code, root);
  return directory === code || directory.startsWith(code + sep) ? directory : undefined;
}

/** Removes every version but those in use. */
export async function pruneVersions(
  dataDirectory: string,
  projectId: string,
  keep: readonly number[],
): Promise<void> {
  const directory = join(dataDirectory, "projects", projectId, "versions");
  for (const name of await readdir(directory).catch(() => [])) {
    if (!keep.includes(Number(name))) await removeTree(join(directory, name));
  }
}

/** Removes what an unfinished fetch, extraction or install has left of a version. */
export async function removeUnfinished(
  dataDirectory: string,
  projectId: string,
  versionNumber: number,
): Promise<void> {
  const directory = versionDirectory(dataDirectory, projectId, versionNumber);
  for await (const { name } of entriesOf(directory)) {
    if (name !== "code") await removeTree(join(directory, name));
  }
}
