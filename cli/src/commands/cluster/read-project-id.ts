/** Reads the project as operators name it: by its id, as they list the projects of no account. */

import { id } from "@tijolo/protocol";
import { UsageError } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";

/** Reads the id. Throws UsageError for a malformed one. */
export function readProjectId(given: string | undefined, { usage, cluster }: Messages): string {
  if (given === undefined) throw new UsageError(usage.missing(cluster.projectId));
  const projectId = id.safeParse(given.toUpperCase()).data;
  if (projectId === undefined) throw new UsageError(cluster.notProjectId(given));
  return projectId;
}
