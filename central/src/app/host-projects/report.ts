/** Takes the reports of agents: each entry takes effect once, together with its sequence number. */

import {
  isInstallError,
  isServiceFault,
  statusOf,
  type ObservedState,
  type ReportEntry,
} from "@tijolo/protocol";
import { findHost, saveTakenSequence, wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { insertExit } from "../../store/tables/projects/exit.ts";
import { saveReplacedFiles } from "../../store/tables/projects/replaced-files.ts";
import {
  findProject,
  saveObserved,
  updateProject,
  type ProjectChange,
  type ProjectRow,
} from "../../store/tables/projects/project.ts";
import { noteNotices } from "../notices/note-report.ts";
import { noteFailure } from "../projects/failure-event.ts";
import { noteOutcome } from "../projects/version-outcome.ts";
import { configTagOf } from "../runs/config-tag.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { runEnd, runningNow } from "../runs/run-change.ts";
import { servesEarlier } from "../runs/serving.ts";

/** Implements `LinkBackend.takeReport`. */
export async function takeReport(
  app: HostProjectsContext,
  hostId: string,
  entries: ReportEntry[],
): Promise<{ takenSequence: number }> {
  return transact(app.db, async (tx) => {
    const ended = new Set<string>();
    let taken = (await findHost(tx, hostId))?.takenSequence ?? 0;
    for (const entry of entries) {
      if (entry.sequence <= taken) continue;
      taken = entry.sequence;
      const row = await findProject(tx, entry.projectId);
      // An agent can write only about its own placements of the current generation.
      if (row === undefined || row.hostId !== hostId || row.generation !== entry.generation) continue;
      tx.wake(`project:${row.id}`);
      await noteNotices(app, tx, row, entry.event);
      if (await takeEntry(app, tx, row, entry)) ended.add(row.id);
    }
    await saveTakenSequence(tx, hostId, taken);
    if (ended.size > 0) await wantedChanged(tx, hostId, [...ended]);
    return { takenSequence: taken };
  });
}

/** Takes an entry. Returns whether the desired state of the project changed by it. */
async function takeEntry(
  app: HostProjectsContext,
  tx: Transaction,
  row: ProjectRow,
  entry: ReportEntry,
): Promise<boolean> {
  switch (entry.event.kind) {
    case "exit":
      await insertExit(tx, {
        projectId: row.id,
        hostId: row.hostId,
        sequence: entry.sequence,
        ...entry.event,
      });
      return false;
    case "replaced": {
      const { versionNumber, count, paths } = entry.event;
      // Central's own time, by which the event stands after the upload, whatever the host's clock says.
      const at = app.clock.now();
      await saveReplacedFiles(tx, { projectId: row.id, versionNumber, at, count, paths });
      return false;
    }
    case "state": {
      const { state } = entry.event;
      await saveObserved(tx, row.id, state);
      await noteOutcome(tx, row, state, app.clock.now());
      await noteFailure(app, tx, row, state);
      const isOver = row.run === "on" && isRunOver(row, state);
      const isStatusNew = statusOf(row, row.observed) !== statusOf(row, state);
      const change = isOver ? runEnd(row) : startedNow(row, state);
      if (change !== null || isStatusNew) await updateProject(tx, row.id, change ?? {}, app.clock.now());
      return isOver;
    }
  }
}

/**
 * Returns the settings and the subdomain of the run that has come up with what is wanted; null while they are
 * known already. A restart after a crash applies pending settings, like a requested restart. New code that
 * may still be taken back does not count before it has come up.
 */
function startedNow(row: ProjectRow, state: ObservedState): ProjectChange | null {
  if (row.run === "off" || state.configTag !== configTagOf(row)) return null;
  const isKept = row.settings.onFailure === "keep" && state.servingVersion === row.versionNumber;
  if (!state.hasComeUp && !isKept) return null;
  const isKnown =
    row.servedSubdomain === row.subdomain &&
    JSON.stringify(row.runningSettings) === JSON.stringify(row.settings);
  return isKnown ? null : runningNow(row);
}

/**
 * True when the requested run ended for good: nothing is wanted any more until a person asks again. A run
 * that a fault of the service prevents is still wanted. So is one whose code could not be installed, or did
 * not come up while an earlier version serves: good code that comes later runs by itself.
 */
function isRunOver(row: ProjectRow, state: ObservedState): boolean {
  const isStillWanted =
    isServiceFault(state.errorDetails) ||
    isInstallError(state.errorCode) ||
    servesEarlier(state, state.versionNumber);
  if (state.phase === "failed" && isStillWanted) return false;
  const isOfThisRun = state.restartCount >= row.restartCount && state.versionNumber >= row.versionNumber;
  return isOfThisRun && (state.phase === "ready" || state.phase === "failed");
}
