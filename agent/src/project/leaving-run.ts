/**
 * Decides about the run of a site that answers until the next one is ready (`deploy: overlap`): when a run
 * may go on beside the next, when it ends, and when it is the newest again because the next did not come up.
 * Pure.
 */

import type { Assignment } from "@tijolo/protocol";
import type { Instance } from "../runtime/runtime.ts";
import { withObserved, type ProjectRecord } from "./record.ts";
import type { Step } from "./step.ts";
import { directoryOf } from "./succession.ts";

/**
 * Longest time in ms for which two runs of a project go on at once: a program that is never ready would have
 * the memory of two for ever.
 */
export const longestBesideMs = 5 * 60_000;

export interface LeavingSituation {
  wanted: Assignment;
  record: ProjectRecord;
  /** The newest run. */
  instance: Instance | undefined;
  /** The run that leaves, as the runtime last reported it. */
  leaving: Instance | undefined;
  nowMs: number;
}

export interface SetAsideSituation {
  wanted: Assignment;
  record: ProjectRecord;
  instance: Instance | undefined;
  /** True where the host has the memory for a second run now. */
  hasRoomBeside?: boolean | undefined;
}

/**
 * True when the run goes on beside the next one: it answers visits, and the next one is to run beside it. The
 * next one may be of another type or language; then it has no port to be ready on, and takes the place of this
 * one.
 */
export function goesOnBeside({ wanted, record, instance, hasRoomBeside }: SetAsideSituation): boolean {
  const { observed, startedWith, installed, leaving } = record;
  if (wanted.deploy !== "overlap" || wanted.run === "off" || wanted.settings.port === null) return false;
  if (leaving !== null || installed === null || startedWith === null || startedWith.port === null)
    return false;
  if (instance === undefined || instance.exit !== null || hasRoomBeside !== true) return false;
  return (
    observed.phase === "running" && observed.hasComeUp && observed.versionNumber === instance.versionNumber
  );
}

/** Makes the newest run the one that leaves: what follows is as if it had been stopped. */
export function setAside(
  record: ProjectRecord,
  { runNumber, versionNumber, startedAt }: Instance,
  nowMs: number,
): ProjectRecord {
  const { startedWith, installed, logSet, imageLayers, runLayers } = record;
  if (startedWith === null || installed === null) return record;
  return withObserved(
    {
      ...record,
      leaving: {
        runNumber,
        versionNumber,
        directory: directoryOf(installed),
        startedAt: startedAt.toISOString(),
        setAsideAtMs: nowMs,
        startedWith,
        logSet,
        imageLayers,
        runLayers,
      },
    },
    { phase: "stopping", startedAt: null },
  );
}

/** Decides what becomes of the run that leaves; null: it goes on for now. */
export function planLeaving({ wanted, record, instance, leaving, nowMs }: LeavingSituation): Step | null {
  const known = record.leaving;
  if (known === null) return null;
  const { phase, versionNumber, hasComeUp } = record.observed;
  if (leaving === undefined || leaving.exit !== null || wanted.run === "off") return { kind: "retire" };
  if (nowMs >= endOfLeaving(record)) return { kind: "retire" };
  // The files that it runs on are about to be made again.
  if (record.installed === null && known.versionNumber === wanted.versionNumber) return { kind: "retire" };
  switch (phase) {
    case "running":
      return hasComeUp ? { kind: "retire" } : null;
    case "failed":
    case "ready":
      return { kind: "retire" };
    case "waiting":
      // The next version was given up for that of the run that leaves.
      return instance === undefined && hasComeUp && versionNumber === known.versionNumber
        ? { kind: "return", instance: leaving }
        : null;
    case "extracting":
    case "installing":
    case "starting":
    case "stopping":
      return null;
  }
}

/** Returns when the run that leaves ends at the latest, in milliseconds since 1970. */
export function endOfLeaving({ leaving }: ProjectRecord): number {
  return leaving === null ? Infinity : leaving.setAsideAtMs + longestBesideMs;
}

/** Makes the run that leaves the newest again: the one that was to follow has ended. */
export function returned(record: ProjectRecord): ProjectRecord {
  const { leaving, runNumber, failedRunNumber } = record;
  if (leaving === null) return record;
  const { startedAt, versionNumber: _same, directory: _installs, setAsideAtMs: _over, ...run } = leaving;
  return withObserved(
    {
      ...record,
      ...run,
      failedRunNumber: Math.max(runNumber, failedRunNumber),
      endedRunNumber: run.runNumber - 1,
      leaving: null,
      hasProven: true,
      retryAtMs: null,
    },
    { phase: "running", startedAt, hasComeUp: true },
  );
}

/** True while visits are answered by the run that leaves, as the newest has not come up. */
export function leavingAnswers({
  record,
  instance,
  leaving,
}: Omit<LeavingSituation, "wanted" | "nowMs">): boolean {
  const { phase, hasComeUp } = record.observed;
  if (record.leaving === null || leaving === undefined || leaving.exit !== null) return false;
  return !(instance?.exit === null && phase === "running" && hasComeUp);
}
