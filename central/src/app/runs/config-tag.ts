/**
 * Computes a tag of what a run is started with, so that central knows whether a change is pending until the
 * next start (spec: `isRestartRequired`).
 */

import { hash } from "node:crypto";
import type { ProjectSettings } from "@tijolo/protocol";
import type { ProjectRow } from "../../store/tables/projects/project.ts";

/**
 * Returns a hash that differs for other settings, other variables or another subdomain. `onFailure` is not in
 * it: it takes effect at once, so it is never pending.
 */
export function configTagOf({ settings, variablesRevision, subdomain }: StartedWith): string {
  const { onFailure: _onFailure, ...started } = settings;
  return hash("sha256", JSON.stringify([started, variablesRevision, subdomain])).slice(0, 32);
}

interface StartedWith {
  settings: ProjectSettings;
  variablesRevision: string | null;
  subdomain: string | null;
}

/**
 * True when a change is pending. Until the host has confirmed a start, the requested run counts. What failed
 * and left nothing running has nothing to restart, although it is still wanted on.
 */
export function isRestartRequired(row: ProjectRow): boolean {
  if (row.run === "off") return false;
  if (isConfirmed(row) && row.observed?.phase === "failed" && row.observed.servingVersion === null)
    return false;
  const runningTag = runningTagOf(row);
  return runningTag !== null && runningTag !== configTagOf(row);
}

/** Returns the tag of what the run was started with; null while it is not known. */
export function runningTagOf(row: ProjectRow): string | null {
  return (isConfirmed(row) ? row.observed?.configTag : null) ?? row.startConfigTag;
}

/** True when the host has confirmed the newest start. */
function isConfirmed({ observed, restartCount }: ProjectRow): boolean {
  return observed !== null && observed.restartCount >= restartCount;
}
