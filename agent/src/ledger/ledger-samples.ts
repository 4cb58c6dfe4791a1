/** Valid assignments and events for the ledger's tests. */

import type { Assignment, ReportEntry } from "@tijolo/protocol";
import { sampleAssignment } from "./sample-assignment.ts";

export function projectIdOf(number: number): string {
  return String(number).padStart(26, "0");
}

export function makeAssignment(number: number, changes: Partial<Assignment> = {}): Assignment {
  return sampleAssignment({ projectId: projectIdOf(number), ...changes });
}

export function exitEvent(runNumber: number): ReportEntry["event"] {
  return { kind: "exit", runNumber, exit: { code: 1, isOutOfMemory: false, exitedAt: "2026-01-01T00:00:00.000Z" }, isCrash: true };
}

export function stateEvent(consecutiveCrashes: number): ReportEntry["event"] {
  return {
    kind: "state",
    state: {
      phase: "running",
      versionNumber: 1,
      restartCount: 1,
      errorCode: null,
      errorDetail: "",
      consecutiveCrashes,
      lastExit: null,
      startedAt: null,
      configTag: null,
    },
  };
}
