/** Holds valid values for tests, each with the changes that the test is about. */

import type { Assignment, ObservedState, ProjectSettings, ReportEntry } from "@tijolo/protocol";

export function sampleSettings(changes: Partial<ProjectSettings> = {}): ProjectSettings {
  return {
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
    onFailure: "return",
    ...changes,
  };
}

export function sampleAssignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    projectId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    accountId: "01ARZ3NDEKTSV4RRFFQ69G5FAW",
    generation: 1,
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    archive: { sha256: "a".repeat(64), sizeBytes: 1000 },
    hasAutoRestart: true,
    diskMb: 1024,
    settings: sampleSettings(),
    configTag: "tag 1",
    variables: {},
    ...changes,
  };
}

export function sampleState(changes: Partial<ObservedState> = {}): ObservedState {
  return {
    phase: "running",
    versionNumber: 1,
    restartCount: 1,
    errorCode: null,
    errorDetails: [],
    consecutiveCrashes: 0,
    lastExit: null,
    startedAt: null,
    configTag: null,
    servingVersion: null,
    hasComeUp: false,
    ...changes,
  };
}

export function sampleExit(runNumber: number): ReportEntry["event"] {
  return {
    kind: "exit",
    runNumber,
    exit: { code: 1, isOutOfMemory: false, exitedAt: "2026-01-01T00:00:00.000Z" },
    isCrash: true,
  };
}
