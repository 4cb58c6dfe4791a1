/** Says which files of a project nginx serves, and whether it is to serve them. Pure. */

import type { Assignment } from "@tijolo/protocol";
import { servedPlace } from "../sites/served-place.ts";
import type { StaticSite } from "../statics/site-tree.ts";
import { versionDirectory } from "../versions/version-files.ts";
import type { ProjectHandle } from "./project-handle.ts";
import type { ProjectRecord } from "./record.ts";
import { directoryOf } from "./succession.ts";

/** Returns the files of what is installed; undefined where there is nothing to serve. */
export function staticSiteOf(
  { projectId, record, context }: Pick<ProjectHandle, "projectId" | "record" | "context">,
  { root, spa }: { root: string | null; spa?: boolean | undefined },
): StaticSite | undefined {
  const { installed } = record;
  if (installed === null) return undefined;
  const version = versionDirectory(context.dataDirectory, projectId, directoryOf(installed));
  const place = servedPlace(version, { root, isBuilt: installed.isBuilt === true });
  if (place === undefined) return undefined;
  const { directory, compressed, hidden } = place;
  return { files: directory, compressed, isApp: spa === true, isWhole: hidden !== undefined };
}

/**
 * True while a static site is to be served, also while a later version takes its place: until that is served,
 * visits get the files of the one before.
 */
export function isServedStatic(
  { observed, startedWith }: ProjectRecord,
  assignment: Assignment | undefined,
): boolean {
  if (assignment?.run !== "on" || startedWith?.language !== "static") return false;
  return observed.phase !== "failed" && observed.phase !== "ready";
}
