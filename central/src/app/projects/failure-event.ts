/** Records the failures of a project for its events, in the transaction of the report about them. */

import {
  isInstallError,
  makeId,
  type FailureKind,
  type ObservedState,
  type ProjectErrorCode,
} from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { insertProjectEvent } from "../../store/tables/projects/project-event.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { failureOf } from "./version-outcome.ts";

export async function noteFailure(
  app: Pick<ProjectsContext, "clock" | "random">,
  tx: Transaction,
  { id, observed }: Pick<ProjectRow, "id" | "observed">,
  state: ObservedState,
): Promise<void> {
  const error = failureOf(state);
  const kind = error === null ? null : kindOf(error.code);
  if (error === null || kind === null || isToldAlready(observed, state)) return;
  const at = app.clock.now();
  await insertProjectEvent(tx, {
    id: makeId(at, app.random(10)),
    projectId: id,
    at,
    kind,
    versionNumber: state.versionNumber,
    error,
  });
}

/** Returns the kind of event; null for a crash that ended the run: its exit is an event of its own. */
function kindOf(code: ProjectErrorCode): FailureKind | null {
  if (isInstallError(code)) return "install_failed";
  return code === "start_failed" || code === "crash_loop" ? code : null;
}

/** True when the state before was the same failure, of the same version and the same request to run. */
function isToldAlready(before: ObservedState | null, state: ObservedState): boolean {
  return (
    before !== null &&
    failureOf(before) !== null &&
    before.errorCode === state.errorCode &&
    before.versionNumber === state.versionNumber &&
    before.restartCount === state.restartCount
  );
}
