/** Says where a version of a static site lies on the host. */

import { existsSync } from "node:fs";
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

/** Returns the directory of what a build has made of a version; without it, the upload is served. */
export function builtSite(version: string): string {
  return join(version, "site");
}

export function compressedSite(version: string): string {
  return join(version, "compressed");
}

/** Returns the place of a version's files; undefined where `root` leads out of the upload. */
export function servedPlace(version: string, root: string): ServedPlace | undefined {
  const compressed = compressedSite(version);
  const site = builtSite(version);
  if (existsSync(site)) return { directory: site, compressed };
  const code = join(version, "code");
  const directory = servedDirectory(code, root);
  if (directory === undefined) return undefined;
  return { directory, compressed, ...(relative(code, directory) === "" ? { hidden: "svc.json" } : {}) };
}
