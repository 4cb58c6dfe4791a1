/** Decides the next step for the version that runs, or is to run, beside what a newer version needs. Pure. */

import { startingMs, type Assignment } from "@tijolo/protocol";
import type { PortSeen } from "../diagnosis/port-watch.ts";
import type { Instance } from "../runtime/runtime.ts";
import { forgivingMs } from "./exit-policy.ts";
import { goesOnBeside } from "./leaving-run.ts";
import type { ProjectRecord } from "./record.ts";
import type { Step, Succession } from "./step.ts";
import { installKey } from "./steps/install-key.ts";
import { assignmentOfRun, comeUpMs, isOnTrial } from "./succession.ts";

export interface RunSituation {
  /** The desired state as central sent it. */
  wanted: Assignment;
  succession: Succession;
  record: ProjectRecord;
  instance: Instance | undefined;
  port?: PortSeen | undefined;
  hasFailed?: boolean;
  hasRoomBeside?: boolean | undefined;
  nowMs: number;
}

const rest: Step = { kind: "idle", wakeAtMs: null };

export function planUp(situation: RunSituation): Step {
  const { wanted, succession, record, instance } = situation;
  const { observed, installed } = record;
  if (wanted.run === "off") return { kind: "stop" };
  if (succession === "forget") return { kind: "forget-next" };
  // It is to give way to the version before it. 0: the record was lost, and with it which version is to run.
  const isOfOther = instance !== undefined && instance.versionNumber !== observed.versionNumber;
  if (isOfOther && observed.versionNumber !== 0) return { kind: "stop" };
  // The run uses files that the install is about to make again.
  if (installed === null && instance?.versionNumber === wanted.versionNumber) return { kind: "stop" };
  // Whether the run has come up is recorded before newer code takes over, because that code may lead back to
  // it.
  const running = observed.phase === "running" ? planRunning(situation) : rest;
  if (running.kind === "come-up") return running;
  if (succession === "take-over") return makeWay(situation);
  if (succession === "install") return { kind: "install" };
  if (assignmentOfRun(wanted, record).restartCount > observed.restartCount) return makeWay(situation);
  if (instance !== undefined && observed.phase !== "running") return { kind: "adopt", instance };
  return running;
}

/** Ends the run for the next one, or lets it go on until that is ready. */
function makeWay(situation: RunSituation): Step {
  const { instance } = situation;
  return instance !== undefined && goesOnBeside(situation)
    ? { kind: "set-aside", instance }
    : { kind: "stop" };
}

/** Decides whether the run has come up, is given up, or has run long enough for its crashes to be over. */
function planRunning(situation: RunSituation): Step {
  const { record, nowMs } = situation;
  const { consecutiveCrashes, startedAt, hasComeUp } = record.observed;
  if (startedAt === null) return rest;
  const startedMs = Date.parse(startedAt);
  const forgivenAtMs = consecutiveCrashes === 0 ? null : startedMs + forgivingMs;
  if (forgivenAtMs !== null && nowMs >= forgivenAtMs) return { kind: "forgive-crashes" };
  const step = hasComeUp ? rest : planComeUp(situation, startedMs);
  if (step.kind !== "idle" || forgivenAtMs === null) return step;
  return { kind: "idle", wakeAtMs: Math.min(forgivenAtMs, step.wakeAtMs ?? Infinity) };
}

function planComeUp({ wanted, record, port, nowMs }: RunSituation, startedMs: number): Step {
  const { type, language } = record.settings ?? assignmentOfRun(wanted, record).settings;
  const within = (step: Step, atMs: number): Step =>
    nowMs >= atMs ? step : { kind: "idle", wakeAtMs: atMs };
  if (language === "static" || port === "reachable") return { kind: "come-up" };
  if (type === "bot") return within({ kind: "come-up" }, startedMs + comeUpMs);
  if (port === undefined || !isOnTrial(record)) return rest;
  return within({ kind: "take-back", reason: port }, startedMs + startingMs);
}

export function planDown(situation: RunSituation): Step {
  const { wanted, succession, record } = situation;
  const { observed, installed } = record;
  if (succession === "forget") return { kind: "forget-next" };
  if (succession === "take-over") return { kind: "take-over" };
  if (succession === "install")
    return isDueBack(situation) ? { kind: "start", isFresh: false } : { kind: "install" };
  if (installed === null) return rest;
  const assignment = assignmentOfRun(wanted, record);
  if (assignment.run === "off") {
    const isSettled =
      (observed.phase === "ready" || observed.phase === "failed") &&
      observed.restartCount >= assignment.restartCount;
    return isSettled ? rest : { kind: "settle" };
  }
  return planStart(situation, assignment);
}

/**
 * True when the version before the wanted one was up and is down, as after a reboot of the host or a crash:
 * it is started again before the wanted one is installed beside it.
 */
function isDueBack({ wanted, record, nowMs, hasFailed = false }: RunSituation): boolean {
  const { phase, versionNumber } = record.observed;
  if (wanted.run === "off" || record.installed === null || hasFailed) return false;
  if (versionNumber === wanted.versionNumber || versionNumber === 0) return false;
  const wasUp = phase === "running" || phase === "stopping";
  return wasUp || (phase === "waiting" && nowMs >= (record.retryAtMs ?? 0));
}

function planStart({ wanted, record, nowMs }: RunSituation, assignment: Assignment): Step {
  const { phase, restartCount } = record.observed;
  // Settings that decide what is installed take effect at the next start.
  const isInstalled = assignment !== wanted || record.installed?.key === installKey(assignment);
  const begin = (isFresh: boolean): Step => (isInstalled ? { kind: "start", isFresh } : { kind: "install" });
  const retry = (): Step =>
    nowMs >= (record.retryAtMs ?? 0) ? begin(false) : { kind: "idle", wakeAtMs: record.retryAtMs };
  if (assignment.restartCount > restartCount) return begin(true);
  switch (phase) {
    case "ready":
      return rest;
    case "failed":
      return record.damagedStarts === 0 ? rest : retry();
    case "waiting":
      return retry();
    case "extracting":
    case "installing":
    case "starting":
    case "running":
    case "stopping":
      // The run was up, or about to be, when the agent or the host went down.
      return begin(false);
  }
}
