/** Decides by the reports of its host how a version has turned out, and saves that. */

import {
  isInstallError,
  isServiceFault,
  type ObservedState,
  type OwnerMessage,
  type ProjectErrorCode,
} from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { findVersion, saveVersionOutcome, type VersionOutcome } from "../../store/tables/projects/version.ts";

export interface Failure {
  code: ProjectErrorCode;
  details: readonly OwnerMessage[];
}

/** Returns why the project is down; null where it is not, or where the service is at fault. */
export function failureOf({ phase, errorCode, errorDetails }: ObservedState): Failure | null {
  if (phase !== "failed" || errorCode === null || isServiceFault(errorDetails)) return null;
  return { code: errorCode, details: errorDetails };
}

/** Saves the outcome of the version that the state is about, where the state changes it. */
export async function noteOutcome(
  tx: Transaction,
  { id, observed }: Pick<ProjectRow, "id" | "observed">,
  state: ObservedState,
  now: number,
): Promise<void> {
  if (observed !== null && decisive(observed) === decisive(state)) return;
  const version = await findVersion(tx, id, state.versionNumber);
  if (version === undefined) return;
  const outcome = outcomeAfter(version, state, now);
  if (outcome !== null) await saveVersionOutcome(tx, version, outcome);
}

/** Returns the parts of a state that decide: most states only report another crash or another time. */
function decisive(state: ObservedState): string {
  const { versionNumber, phase, hasComeUp } = state;
  return JSON.stringify([versionNumber, phase, hasComeUp, failureOf(state)]);
}

/**
 * Returns the version's outcome after the state; null when it does not change. A failure of a start counts
 * only while the version has never come up: later ones are the run's own.
 */
export function outcomeAfter(
  before: VersionOutcome,
  state: ObservedState,
  now: number,
): VersionOutcome | null {
  const { phase, hasComeUp: isUp } = state;
  const failure = failureOf(state);
  const cameUpAt = before.cameUpAt ?? (isUp ? now : null);
  if (phase === "extracting" || phase === "installing")
    return before.finishedAt === null ? null : { finishedAt: null, cameUpAt, error: null };
  if (failure !== null && (cameUpAt === null || isInstallError(failure.code))) {
    const isSame = JSON.stringify(before.error) === JSON.stringify(failure);
    return isSame ? null : { finishedAt: now, cameUpAt, error: failure };
  }
  const isReady = isUp || phase === "ready" || cameUpAt !== before.cameUpAt;
  // A failed version has not recovered by being ready to start again.
  const error = isUp ? null : before.error;
  const finishedAt = isReady && error === null && before.error !== null ? now : before.finishedAt;
  const after = { finishedAt: isReady ? (finishedAt ?? now) : finishedAt, cameUpAt, error };
  return isEqual(after, before) ? null : after;
}

function isEqual(one: VersionOutcome, other: VersionOutcome): boolean {
  return one.finishedAt === other.finishedAt && one.cameUpAt === other.cameUpAt && one.error === other.error;
}
