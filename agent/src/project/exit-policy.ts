/**
 * Decides what follows from the end of a run (spec: "States and transitions"): the restart policy, pure and
 * executed by the agent alone.
 */

import type { Assignment, OwnerMessage } from "@tijolo/protocol";
import type { Instance, InstanceExit } from "../runtime/runtime.ts";
import { withObserved, type ProjectRecord } from "./record.ts";
import { comeUp, comeUpMs, goBack, isOnTrial } from "./succession.ts";

/** Duration in ms of a run that resets the count of crashes before it. */
export const forgivingMs = 60_000;

const crashLimit = 5;
/**
 * Shortest pauses before the restart after the 1st, 2nd … crash in a row. The first restart is immediate; the
 * later pauses leave minutes for the recovery of a service that the program depends on.
 */
export const restartPausesMs: readonly number[] = [0, 15_000, 45_000, 120_000];
/** Largest random share that is added to a pause, so that projects which crashed together restart apart. */
const jitterShare = 0.25;
/**
 * Exit codes of the shell for a command that cannot be run, or does not exist; early, they mean that the
 * start command did not come up.
 */
const notRunCodes = [126, 127];
const notRunMs = 10_000;

export interface AfterExit {
  record: ProjectRecord;
  isCrash: boolean;
  /** True when the version was on trial and did not come up: the version before it is started again. */
  isTakenBack?: boolean;
}

export interface RestartPauses {
  pausesMs: readonly number[];
  /** Returns a number from 0 to below 1. */
  random: () => number;
}

type Ended = Instance & { exit: InstanceExit };

/**
 * Returns the record after the exit of a run. `assignment` is the desired state of the version that ran;
 * `before` is the record as it was before the exit.
 */
export function afterExit(
  assignment: Assignment,
  before: ProjectRecord,
  ended: Ended,
  pauses: RestartPauses,
): AfterExit {
  const { exit } = ended;
  const lastExit = { code: exit.code, isOutOfMemory: exit.isOutOfMemory, exitedAt: exit.at.toISOString() };
  const ranMs = exit.at.getTime() - ended.startedAt.getTime();
  const isOfRun = ended.versionNumber === before.observed.versionNumber;
  const record = isOfRun && ranMs >= comeUpMs && isBot(assignment) ? comeUp(before) : before;
  const crashesBefore = ranMs >= forgivingMs ? 0 : record.observed.consecutiveCrashes;
  const over = withObserved(
    { ...record, retryAtMs: null },
    { lastExit, startedAt: null, consecutiveCrashes: crashesBefore },
  );
  const settled = (change: Partial<ProjectRecord["observed"]>, isCrash: boolean): AfterExit => ({
    record: withObserved(over, change),
    isCrash,
  });

  const isVanished = exit.cause === "vanished";
  // The run was of another version than the one that is to run: its end decides nothing.
  if (!isOfRun) return { record: isVanished ? record : withObserved(record, { lastExit }), isCrash: false };
  if (isVanished)
    return {
      record: withObserved(
        { ...record, retryAtMs: exit.at.getTime() },
        { phase: "waiting", startedAt: null },
      ),
      isCrash: false,
    };
  if (record.observed.phase === "stopping")
    return settled({ phase: assignment.run === "on" ? "stopping" : "ready" }, false);
  const hasEndedWell = exit.code === 0 && !exit.isOutOfMemory;
  if (isOnTrial(record) && !(hasEndedWell && isBot(assignment))) {
    const errorDetails = [reasonOf(assignment, record, { exit, ranMs })];
    return {
      record: goBack(over, { errorDetails, nowMs: exit.at.getTime() }),
      isCrash: !hasEndedWell,
      isTakenBack: true,
    };
  }
  // A bot that has done its work at once has come up, too.
  if (hasEndedWell) {
    const ready = settled({ phase: "ready" }, false);
    return isBot(assignment) ? { ...ready, record: { ...ready.record, hasProven: true } } : ready;
  }
  return afterCrash(assignment, settled, { exit, ranMs, consecutiveCrashes: crashesBefore + 1, pauses });
}

interface Crash {
  exit: InstanceExit;
  ranMs: number;
  /** Number of crashes in a row, including this one. */
  consecutiveCrashes: number;
  pauses: RestartPauses;
}

function afterCrash(
  assignment: Assignment,
  settled: (change: Partial<ProjectRecord["observed"]>, isCrash: boolean) => AfterExit,
  { exit, ranMs, consecutiveCrashes, pauses }: Crash,
): AfterExit {
  const waiting = settled({ phase: "waiting", consecutiveCrashes }, true);
  const errorDetails = [reasonOf(assignment, waiting.record, { exit, ranMs })];
  const failed = (errorCode: "start_failed" | "process_exited" | "crash_loop") =>
    settled({ phase: "failed", errorCode, errorDetails, consecutiveCrashes }, true);
  if (hasNotRun(exit, ranMs)) return failed("start_failed");
  if (!assignment.hasAutoRestart) return failed("process_exited");
  if (consecutiveCrashes >= crashLimit) return failed("crash_loop");
  const retryAtMs = exit.at.getTime() + pauseAfter(consecutiveCrashes, pauses);
  return { ...waiting, record: { ...waiting.record, retryAtMs } };
}

function pauseAfter(crashes: number, { pausesMs, random }: RestartPauses): number {
  const leastMs = pausesMs[crashes - 1] ?? pausesMs.at(-1) ?? 0;
  return Math.round(leastMs * (1 + jitterShare * random()));
}

/** Returns the first message about a crash that its owner gets. */
function reasonOf(
  { settings }: Assignment,
  { startedWith }: ProjectRecord,
  { exit, ranMs }: Pick<Crash, "exit" | "ranMs">,
): OwnerMessage {
  if (exit.isOutOfMemory) return { code: "memory_exceeded", memoryMb: (startedWith ?? settings).memoryMb };
  if (!hasNotRun(exit, ranMs)) return { code: "exit_code", exitCode: exit.code };
  return { code: exit.code === 127 ? "start_command_unknown" : "start_command_not_executable" };
}

function hasNotRun({ code, isOutOfMemory }: InstanceExit, ranMs: number): boolean {
  return !isOutOfMemory && notRunCodes.includes(code) && ranMs < notRunMs;
}

function isBot({ settings }: Assignment): boolean {
  return settings.type === "bot";
}
