/** Valid assignments and events for the ledger's tests. */

import type { Assignment, ReportEntry } from "@tijolo/protocol";

export function projectIdOf(number: number): string {
  return String(number).padStart(26, "0");
}

export function makeAssignment(number: number, changes: Partial<Assignment> = {}): Assignment {
  return {
    projectId: projectIdOf(number),
    accountId: projectIdOf(1),
    generation: 1,
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    archive: { sha256: "a".repeat(64), sizeBytes: 1 },
    hasAutoRestart: true,
    diskMb: 1024,
    settings: {
      type: "bot",
      language: "node",
      version: "24",
      entry: "index.js",
      command: "node index.js",
      installCommand: null,
      root: null,
      systemPackages: [],
      memoryMb: 256,
      port: null,
    },
    ...changes,
  };
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
    },
  };
}
