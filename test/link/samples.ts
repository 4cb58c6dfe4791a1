/** Valid values of the link's messages for tests. */

import { randomBytes } from "node:crypto";
import { makeId, type Assignment, type HostLogItem, type HostResources, type ObservedState, type ReportEntry } from "@tijolo/protocol";

export function makeTestId(): string {
  return makeId(Date.now(), randomBytes(10));
}

export function sampleAssignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    projectId: makeTestId(),
    accountId: makeTestId(),
    generation: 1,
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    archive: { sha256: "a".repeat(64), sizeBytes: 1000 },
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

export const sampleResources: HostResources = {
  cpuCount: 2,
  memoryMb: 4096,
  diskMb: 10_000,
  diskFreeMb: 5_000,
  operatingSystem: "Debian 12",
  architecture: "x64",
};

export function sampleState(changes: Partial<ObservedState> = {}): ObservedState {
  return {
    phase: "running",
    versionNumber: 1,
    restartCount: 1,
    errorCode: null,
    errorDetail: "",
    consecutiveCrashes: 0,
    lastExit: null,
    startedAt: null,
    ...changes,
  };
}

export function sampleExit(runNumber: number): ReportEntry["event"] {
  return { kind: "exit", runNumber, exit: { code: 1, isOutOfMemory: false, exitedAt: "2026-01-01T00:00:00.000Z" }, isCrash: true };
}

export function sampleLine(number: number, text = `line ${number}`): HostLogItem {
  return {
    kind: "line",
    cursor: String(number).padStart(12, "0"),
    line: { at: "2026-01-01T00:00:00.000Z", section: "app", stream: "stdout", version: 1, text },
  };
}
