/**
 * Decides what follows from the end of a run (spec: "States and transitions"): the restart policy, pure and
 * executed by the agent alone.
 */

import type { Assignment, OwnerMessage } from "@tijolo/protocol";
import type { Instance, InstanceExit } from "../runtime/runtime.ts";
import { withObserved, type ProjectRecord } from "./record.ts";

/** Duration in ms of a run that resets the count of crashes before it. */
export const forgivingMs = 60_000;

const crashLimit = 5;
/** Pauses before the restart after the 1st, 2nd … crash in a row. */
const pausesMs = [0, 1_000, 3_000, 8_000];
/**
 * Exit codes of the shell for a command that cannot be run, or does not exist; early, they mean that the
 * start command did not come up.
 */
const notRunCodes = [126, 127];
const notRunMs = 10_000;

export interface AfterExit {
  record: ProjectRecord;
  isCrash: boolean;
}

/** `ended.exit` is the exit; the record is the one before it. */
export function afterExit(
  assignment: Assignment,
  record: ProjectRecord,
  ended: Instance & { exit: InstanceExit },
): AfterExit {
  const { exit } = ended;
  const lastExit = { code: exit.code, isOutOfMemory: exit.isOutOfMemory, exitedAt: exit.at.toISOString() };
  const ranMs = exit.at.getTime() - ended.startedAt.getTime();
  const crashesBefore = ranMs >= forgivingMs ? 0 : record.observed.consecutiveCrashes;
  const over = withObserved(
    { ...record, retryAtMs: null },
    { lastExit, startedAt: null, consecutiveCrashes: crashesBefore },
  );
  const settled = (change: Partial<ProjectRecord["observed"]>, isCrash: boolean): AfterExit => ({
    record: withObserved(over, change),
    isCrash,
  });

  if (exit.cause === "vanished")
    return {
      record: withObserved(
        { ...record, retryAtMs: exit.at.getTime() },
        { phase: "waiting", startedAt: null },
      ),
      isCrash: false,
    };
  if (record.observed.phase === "stopping")
    return settled({ phase: assignment.run === "on" ? "stopping" : "ready" }, false);
  // New code is being prepared, or its install has failed: what ends meanwhile decides nothing.
  if (ended.versionNumber !== record.observed.versionNumber) return settled({}, false);
  if (exit.code === 0 && !exit.isOutOfMemory) return settled({ phase: "ready" }, false);

  const consecutiveCrashes = crashesBefore + 1;
  if (notRunCodes.includes(exit.code) && ranMs < notRunMs) {
    const code = exit.code === 127 ? "start_command_unknown" : "start_command_not_executable";
    const errorDetails = [{ code } as const];
    return settled({ phase: "failed", errorCode: "start_failed", errorDetails, consecutiveCrashes }, true);
  }
  const errorDetails: OwnerMessage[] = [
    exit.isOutOfMemory
      ? { code: "memory_exceeded", memoryMb: (record.startedWith ?? assignment.settings).memoryMb }
      : { code: "exit_code", exitCode: exit.code },
  ];
  if (!assignment.hasAutoRestart)
    return settled({ phase: "failed", errorCode: "process_exited", errorDetails, consecutiveCrashes }, true);
  if (consecutiveCrashes >= crashLimit)
    return settled({ phase: "failed", errorCode: "crash_loop", errorDetails, consecutiveCrashes }, true);
  const waiting = settled({ phase: "waiting", consecutiveCrashes }, true);
  return {
    ...waiting,
    record: { ...waiting.record, retryAtMs: exit.at.getTime() + (pausesMs[consecutiveCrashes - 1] ?? 0) },
  };
}
