/**
 * Applies the settings that are pending until the next start, at a request to run and at the end of a run
 * (spec: PATCH rule 2).
 */

import type { ProjectChange, ProjectRow } from "../../store/tables/projects/project.ts";
import { configTagOf } from "./config-tag.ts";
import { servesEarlier } from "./serving.ts";

type Startable = Pick<
  ProjectRow,
  "restartCount" | "settings" | "variablesRevision" | "subdomain" | "versionNumber" | "observed"
>;

/**
 * Returns the change that requests another run of a project with these settings. While an earlier version
 * serves, it keeps its settings and its subdomain until the new one has come up: it may have to come back.
 */
export function runStart(row: Startable): ProjectChange {
  const request = {
    run: "on",
    restartCount: row.restartCount + 1,
    startConfigTag: configTagOf(row),
  } as const;
  if (servesEarlier(row.observed, row.versionNumber)) return request;
  return { ...request, ...runningNow(row) };
}

/** Returns the change that makes the wanted settings those of the run. */
export function runningNow({ settings, subdomain }: Pick<ProjectRow, "settings" | "subdomain">) {
  return { runningSettings: settings, servedSubdomain: subdomain };
}

/** Returns the change for the end of a run: no run is wanted any more, so nothing is pending. */
export function runEnd({ subdomain }: Pick<ProjectRow, "subdomain">): ProjectChange {
  return { run: "off", servedSubdomain: subdomain };
}
