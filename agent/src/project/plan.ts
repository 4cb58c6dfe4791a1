/** Decides the next step of one project from the desired state, its record and what runs. Pure. */

import { isInstallError, type Assignment } from "@tijolo/protocol";
import type { PortSeen } from "../diagnosis/port-watch.ts";
import type { KnownDeparture } from "../ledger/project-table.ts";
import type { Instance } from "../runtime/runtime.ts";
import { endOfLeaving, planLeaving } from "./leaving-run.ts";
import { planDown, planUp } from "./plan-run.ts";
import type { ProjectRecord } from "./record.ts";
import type { Step, Succession } from "./step.ts";

export interface Situation {
  /**
   * The desired state as central sent it last. Undefined when it is not known, as after the loss of the
   * ledger: then nothing changes.
   */
  assignment: Assignment | undefined;
  /**
   * Reason why central gave the project up here. Undefined while it did not, also where it no longer names
   * the project.
   */
  departure: KnownDeparture | undefined;
  record: ProjectRecord;
  /** The project's newest instance on this host, running or ended. */
  instance: Instance | undefined;
  /** The run that leaves once the newest has come up, running or ended. */
  leaving?: Instance | undefined;
  /** True where the host has the memory for a second run of the project now. */
  hasRoomBeside?: boolean | undefined;
  /** Result of the port watch for the newest run; undefined before its first result. */
  port?: PortSeen | undefined;
  /** True when the last step failed by a fault of the host. */
  hasFailed?: boolean;
  nowMs: number;
}

/** Milliseconds for which the disk of a project that moved to another host is kept. */
export const movedKeptMs = 24 * 60 * 60 * 1000;

export function plan({ assignment, departure, ...situation }: Situation): Step {
  const removeAtMs = removalTime(departure);
  if (removeAtMs !== null && situation.nowMs >= removeAtMs) return { kind: "remove" };
  if (assignment === undefined) {
    return departure !== undefined && situation.instance?.exit === null
      ? { kind: "stop" }
      : { kind: "idle", wakeAtMs: removeAtMs };
  }
  const wanted: Assignment = departure === undefined ? assignment : { ...assignment, run: "off" };
  const step = planFor(wanted, situation);
  return departure !== undefined && (step.kind === "idle" || step.kind === "install")
    ? { kind: "idle", wakeAtMs: removeAtMs }
    : step;
}

/** Returns when the files are removed; null: not before an operator decides. */
function removalTime(departure: KnownDeparture | undefined): number | null {
  switch (departure?.reason) {
    case "deleted":
      return 0;
    case "moved":
      return departure.atMs + movedKeptMs;
    case "elsewhere":
    case undefined:
      return null;
  }
}

function planFor(
  assignment: Assignment,
  { record, instance, leaving, ...seen }: Omit<Situation, "assignment" | "departure">,
): Step {
  if (instance !== undefined && instance.exit !== null)
    return { kind: "record-exit", ended: { ...instance, exit: instance.exit } };
  const ofLeaving = planLeaving({ wanted: assignment, record, instance, leaving, nowMs: seen.nowMs });
  if (ofLeaving !== null) return ofLeaving;
  const succession = planSuccession(assignment, record);
  const { language } = record.startedWith ?? assignment.settings;
  const isUp = instance !== undefined || (language === "static" && record.observed.phase === "running");
  const run = { wanted: assignment, succession, record, instance, ...seen };
  const step = isUp ? planUp(run) : planDown(run);
  const taken: Step =
    assignment.variables === null && leadsToRun(step, assignment) ? { kind: "idle", wakeAtMs: null } : step;
  return taken.kind === "idle" && record.leaving !== null
    ? { kind: "idle", wakeAtMs: Math.min(taken.wakeAtMs ?? Infinity, endOfLeaving(record)) }
    : taken;
}

/**
 * True for steps that need the variables; without them no such step is taken, and a running project goes on
 * until they are known.
 */
function leadsToRun({ kind }: Step, { run }: Assignment): boolean {
  const needsThem = kind === "install" || kind === "start" || kind === "take-back";
  return needsThem || ((kind === "stop" || kind === "set-aside" || kind === "take-over") && run === "on");
}

/** Decides what the wanted version needs beside the one that runs. */
function planSuccession(
  { versionNumber, restartCount }: Assignment,
  { observed, installed, next }: ProjectRecord,
): Succession {
  if (next?.versionNumber === versionNumber) {
    // A failed install is final until new code arrives; a version that did not come up is tried again on
    // request.
    const isFinal = isInstallError(next.errorCode) || restartCount <= next.restartCount;
    if (next.phase === "failed" && isFinal) return null;
    return next.deployed === null ? "install" : "take-over";
  }
  if (observed.versionNumber !== versionNumber || installed?.versionNumber !== versionNumber)
    return "install";
  return next === null ? null : "forget";
}
