/**
 * Builds the state that is reported to central from a project's record. The state of a version that is being
 * prepared, or has failed, is reported in place of that of the version that runs. Pure.
 */

import { isInstallError, type ObservedState, type OwnerMessage } from "@tijolo/protocol";
import type { ProjectRecord } from "./record.ts";

/** Largest number of details in a report, beside the one that names the version that serves. */
const maxReasons = 3;

export function reportedState(record: ProjectRecord): ObservedState {
  const { next } = record;
  const version = servingVersion(record);
  const observed = { ...record.observed, servingVersion: version };
  if (next === null) return observed;
  const { phase, versionNumber, errorCode } = next;
  const hasFailed = phase === "failed";
  const reasons = next.errorDetails.slice(0, maxReasons);
  return {
    ...observed,
    phase,
    versionNumber,
    errorCode,
    errorDetails: hasFailed && version !== null ? [...reasons, servesStill(record, version)] : reasons,
    restartCount: hasFailed ? Math.max(observed.restartCount, next.restartCount) : observed.restartCount,
    hasComeUp: false,
  };
}

/** Returns the version of the run that is up, or that comes back by itself; null when there is none. */
export function servingVersion({ observed, installed, leaving }: ProjectRecord): number | null {
  if (leaving !== null && !(observed.phase === "running" && observed.hasComeUp)) return leaving.versionNumber;
  if (installed === null) return null;
  switch (observed.phase) {
    case "running":
    case "stopping":
    case "waiting":
      return observed.versionNumber;
    case "extracting":
    case "installing":
    case "ready":
    case "starting":
    case "failed":
      return null;
  }
}

/** Returns the message that says which version serves in the place of one that failed. */
export function servesStill({ next }: Pick<ProjectRecord, "next">, version: number): OwnerMessage {
  return isInstallError(next?.errorCode ?? null)
    ? { code: "earlier_version_stays_up", version }
    : { code: "earlier_version_is_back", version };
}
