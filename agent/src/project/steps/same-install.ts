/** Finds the kept install of an upload that is wanted again, as a rollback does. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Assignment } from "@tijolo/protocol";
import { versionDirectory } from "../../versions/version-files.ts";
import type { ProjectHandle } from "../project-handle.ts";
import type { Install } from "../record.ts";
import { directoryOf } from "../succession.ts";
import { installKey } from "./install-key.ts";

/**
 * Returns an install of an earlier version that was made of the same archive with the same settings, and
 * whose files are all there. The install of the running version counts only after newer code has failed
 * (`hasLastFailed`): otherwise, an upload of the same archive asks for a new install.
 */
export function findSameInstall(
  { context, projectId, record }: ProjectHandle,
  assignment: Assignment,
  hasLastFailed: boolean,
): Install | undefined {
  const { installed, earlier, kept } = record;
  const candidates = [hasLastFailed ? installed : null, earlier?.installed, ...kept];
  const key = installKey(assignment);
  return candidates
    .filter((each): each is Install => each != null)
    .find((install) => {
      if (install.sha256 !== assignment.archive.sha256 || install.key !== key) return false;
      const directory = versionDirectory(context.dataDirectory, projectId, directoryOf(install));
      const layers = install.layers?.map((layer) => layer.directory) ?? [];
      return [join(directory, "code"), ...layers].every((path) => existsSync(path));
    });
}
