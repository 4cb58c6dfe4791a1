/**
 * Applies the settings that are pending until the next start, at a request to run and at the end of a run
 * (spec: PATCH rule 2).
 */

import type { ProjectChange, ProjectRow } from "../../store/tables/project.ts";
import { configTagOf } from "./config-tag.ts";

/** Returns the change that requests another run of a project with these settings. */
export function runStart(
  row: Pick<ProjectRow, "restartCount" | "settings" | "variablesRevision" | "subdomain">,
): ProjectChange {
  return {
    run: "on",
    restartCount: row.restartCount + 1,
    runningSettings: row.settings,
    startConfigTag: configTagOf(row),
    servedSubdomain: row.subdomain,
  };
}

/** Returns the change for the end of a run: no run is wanted any more, so nothing is pending. */
export function runEnd({ subdomain }: Pick<ProjectRow, "subdomain">): ProjectChange {
  return { run: "off", servedSubdomain: subdomain };
}
