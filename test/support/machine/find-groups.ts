/** Finds cgroups by their name, while some of them may disappear. */

import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";

/** Searches all hierarchies: returns every such group, and those below it; each after what it holds. */
export function findGroups(hasName: (name: string) => boolean, root = "/sys/fs/cgroup"): string[] {
  return groupsIn(root).flatMap((name) => {
    const path = join(root, name);
    return hasName(name) ? [...findGroups(() => true, path), path] : findGroups(hasName, path);
  });
}

function groupsIn(directory: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (cause) {
    // As find(1) would fail too: it ends its walk as a failure when a group goes meanwhile.
    if (["ENOENT", "ENODEV"].includes((cause as NodeJS.ErrnoException).code ?? "")) return [];
    throw cause;
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
