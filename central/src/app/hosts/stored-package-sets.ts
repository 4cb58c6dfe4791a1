/** Finds the sets of Debian packages that `install central` has left for hosts. */

import { readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { packageSetHash, packageSetLink, packageSets, type PackageSet } from "@tijolo/protocol";

export interface StoredSet extends PackageSet {
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** Returns the sets in the directory, at most one for each system. A name that is no hash is left out. */
export async function findStoredSets(directory: string): Promise<StoredSet[]> {
  const found = await Promise.all(
    packageSets.map(async (set) => {
      const name = await readlink(join(directory, packageSetLink(set))).catch(() => "");
      const sha256 = packageSetHash(name);
      const path = join(directory, name);
      const entry = sha256 === undefined ? null : await stat(path).catch(() => null);
      return sha256 === undefined || entry === null ? [] : [{ ...set, path, sizeBytes: entry.size, sha256 }];
    }),
  );
  return found.flat();
}
