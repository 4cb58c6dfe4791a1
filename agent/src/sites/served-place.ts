/** Says where a version of a static site lies on the host. */

import { join, relative } from "node:path";
import { servedDirectory } from "../versions/version-files.ts";

export interface ServedPlace {
  /** Directory whose files are served. */
  directory: string;
  /** Directory of the same files compressed, see `compress-site.ts`; it need not exist. */
  compressed: string;
  /** Name at the top of `directory` that is not for visitors. */
  hidden?: string;
}

/** Returns the directory of what the build of a version has made. */
export function builtSite(version: string): string {
  return join(version, "site");
}

/**
 * Returns the place of a version's files; undefined where `root` leads out of the upload. Called for each
 * visit, so it looks at no file.
 */
export function servedPlace(
  version: string,
  { root, isBuilt }: { root: string | null; isBuilt: boolean },
): ServedPlace | undefined {
  const compressed = join(version, "compressed");
  if (isBuilt) return { directory: builtSite(version), compressed };
  const code = join(version, "code");
  const directory = servedDirectory(code, root ?? "");
  if (directory === undefined) return undefined;
  return { directory, compressed, ...(relative(code, directory) === "" ? { hidden: "svc.json" } : {}) };
}
