/**
 * What waited for the next start takes effect with a request to run, and with the end of a run (spec: PATCH
 * rule 2).
 */

import type { ProjectChange, ProjectRow } from "../../store/tables/project.ts";
import { configTagOf } from "./config-tag.ts";

/** Of a project with these settings, another run is wanted. */
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

/** No run is wanted any more: nothing is left to wait for. */
export function runEnd({ subdomain }: Pick<ProjectRow, "subdomain">): ProjectChange {
  return { run: "off", servedSubdomain: subdomain };
}
