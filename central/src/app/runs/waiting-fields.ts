/** Names the fields of a project that wait for its next start. */

import { waitingFields, type WaitingField } from "@tijolo/protocol";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { configTagOf, isRestartRequired, runningTagOf } from "./config-tag.ts";

type SettingsField = Exclude<WaitingField, "subdomain" | "variables">;

/**
 * Returns the fields that wait, in the order of {@link waitingFields}; none when no restart is required.
 * Which variables the run has is known only as a part of its tag: they wait when the tag is explained neither
 * by the run's settings nor by its subdomain.
 */
export function waitingFieldsOf(row: ProjectRow): WaitingField[] {
  const { settings } = row;
  if (!isRestartRequired(row)) return [];
  // A project that was started as it was created, and whose settings nobody changed since, has none noted.
  const runningSettings = row.runningSettings ?? settings;
  const started = { settings: runningSettings, subdomain: row.servedSubdomain };
  const haveVariablesChanged =
    configTagOf({ ...started, variablesRevision: row.variablesRevision }) !== runningTagOf(row);
  const isWaiting = (field: WaitingField) => {
    if (field === "variables") return haveVariablesChanged;
    if (field === "subdomain") return row.subdomain !== row.servedSubdomain;
    return !isSame(settings[field], runningSettings[field]);
  };
  return waitingFields.filter(isWaiting);
}

function isSame(
  one: ProjectRow["settings"][SettingsField],
  other: ProjectRow["settings"][SettingsField],
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
