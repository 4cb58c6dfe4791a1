/** Decides the next step of one project from the desired state, its record and what runs. Pure. */

import { isInstallError, type Assignment } from "@tijolo/protocol";
import type { KnownDeparture } from "../ledger/project-table.ts";
import type { Instance, InstanceExit } from "../runtime/runtime.ts";
import { forgivingMs } from "./exit-policy.ts";
import { installKey } from "./steps/install-key.ts";
import type { ProjectRecord } from "./record.ts";

export type Step =
  /** Records the exit of an ended instance, which is then forgotten. */
  | { kind: "record-exit"; ended: Instance & { exit: InstanceExit } }
  /** The project is not this host's any more, and central has said that its files may go. */
  | { kind: "remove" }
  /** Archive → files → dependencies of the wanted version. */
  | { kind: "install" }
  /** `isFresh`: a person asked for it, so earlier crashes and errors are over. */
  | { kind: "start"; isFresh: boolean }
  | { kind: "stop" }
  /** Nothing runs and nothing should; central is told, also of the starts that a stop overtook. */
  | { kind: "settle" }
  /** It runs, and central is not told so yet. */
  | { kind: "adopt"; instance: Instance }
  | { kind: "forgive-crashes" }
  /** Nothing to do before `wakeAtMs` (milliseconds since 1970), or until something changes. */
  | { kind: "idle"; wakeAtMs: number | null };

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
  /** The project's instance on this host, running or ended. */
  instance: Instance | undefined;
  nowMs: number;
}

/** Milliseconds for which the disk of a project that moved to another host is kept. */
export const movedKeptMs = 24 * 60 * 60 * 1000;

export function plan({ assignment, departure, record, instance, nowMs }: Situation): Step {
  const removeAtMs = removalTime(departure);
  if (removeAtMs !== null && nowMs >= removeAtMs) return { kind: "remove" };
  if (assignment === undefined) {
    return departure !== undefined && instance?.exit === null
      ? { kind: "stop" }
      : { kind: "idle", wakeAtMs: removeAtMs };
  }
  const step = planFor(
    departure === undefined ? assignment : { ...assignment, run: "off" },
    record,
    instance,
    nowMs,
  );
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
  record: ProjectRecord,
  instance: Instance | undefined,
  nowMs: number,
): Step {
  if (instance !== undefined && instance.exit !== null)
    return { kind: "record-exit", ended: { ...instance, exit: instance.exit } };
  const { language } = record.startedWith ?? assignment.settings;
  const isUp = instance !== undefined || (language === "static" && record.observed.phase === "running");
  const step = isUp ? planUp(assignment, record, instance, nowMs) : planDown(assignment, record, nowMs);
  return assignment.variables === null && leadsToRun(step, assignment)
    ? { kind: "idle", wakeAtMs: null }
    : step;
}

/**
 * True for steps that need the variables; without them no such step is taken, and a running project goes on
 * until they are known.
 */
function leadsToRun({ kind }: Step, { run }: Assignment): boolean {
  return kind === "install" || kind === "start" || (kind === "stop" && run === "on");
}

function planUp(
  assignment: Assignment,
  record: ProjectRecord,
  instance: Instance | undefined,
  nowMs: number,
): Step {
  if (assignment.run === "off") return { kind: "stop" };
  if (hasInstallFailed(assignment, record)) return { kind: "stop" };
  // It runs on what the install would make anew.
  if (record.installed === null && instance?.versionNumber === assignment.versionNumber)
    return { kind: "stop" };
  if (record.installed?.versionNumber !== assignment.versionNumber) return { kind: "install" };
  if (assignment.restartCount > record.observed.restartCount) return { kind: "stop" };
  if (instance !== undefined && record.observed.phase !== "running") return { kind: "adopt", instance };
  if (record.observed.consecutiveCrashes === 0 || record.observed.startedAt === null)
    return { kind: "idle", wakeAtMs: null };
  const forgivenAtMs = Date.parse(record.observed.startedAt) + forgivingMs;
  return nowMs >= forgivenAtMs ? { kind: "forgive-crashes" } : { kind: "idle", wakeAtMs: forgivenAtMs };
}

function planDown(assignment: Assignment, record: ProjectRecord, nowMs: number): Step {
  const { phase, restartCount } = record.observed;
  if (hasInstallFailed(assignment, record)) return { kind: "idle", wakeAtMs: null };
  if (record.installed?.versionNumber !== assignment.versionNumber) return { kind: "install" };
  if (assignment.run === "off") {
    const isSettled = (phase === "ready" || phase === "failed") && restartCount >= assignment.restartCount;
    return isSettled ? { kind: "idle", wakeAtMs: null } : { kind: "settle" };
  }
  // Settings that decide what is installed take effect at the next start.
  const begin = (isFresh: boolean): Step =>
    record.installed?.key === installKey(assignment) ? { kind: "start", isFresh } : { kind: "install" };
  if (assignment.restartCount > restartCount) return begin(true);
  switch (phase) {
    case "ready":
      return { kind: "idle", wakeAtMs: null };
    case "failed":
      if (record.damagedStarts === 0) return { kind: "idle", wakeAtMs: null };
      return nowMs >= (record.retryAtMs ?? 0) ? begin(false) : { kind: "idle", wakeAtMs: record.retryAtMs };
    case "waiting":
      return nowMs >= (record.retryAtMs ?? 0) ? begin(false) : { kind: "idle", wakeAtMs: record.retryAtMs };
    case "extracting":
    case "installing":
    case "starting":
    case "running":
    case "stopping":
      // It was up, or about to be, when the agent or the host went down.
      return begin(false);
  }
}

/** True when the install of the wanted version ended with an error: that is final until new code arrives. */
function hasInstallFailed(assignment: Assignment, { observed }: ProjectRecord): boolean {
  return (
    observed.versionNumber === assignment.versionNumber &&
    observed.phase === "failed" &&
    isInstallError(observed.errorCode)
  );
}
