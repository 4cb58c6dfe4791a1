/** Makes valid values of the link's messages for tests. */

import { randomBytes } from "node:crypto";
import { makeId, type Assignment, type HostLogItem, type HostResources } from "@tijolo/protocol";
import { sampleAssignment as sample } from "../support/samples.ts";

export function makeTestId(): string {
  return makeId(Date.now(), randomBytes(10));
}

/** Makes an assignment of a project of its own. */
export function sampleAssignment(changes: Partial<Assignment> = {}): Assignment {
  return sample({ projectId: makeTestId(), accountId: makeTestId(), ...changes });
}

export const sampleResources: HostResources = {
  cpuCount: 2,
  memoryMb: 4096,
  diskMb: 10_000,
  diskFreeMb: 5_000,
  operatingSystem: "Debian 12",
  architecture: "x64",
};

export function sampleLine(number: number, text = `line ${number}`): HostLogItem {
  return {
    kind: "line",
    cursor: String(number).padStart(12, "0"),
    line: { at: "2026-01-01T00:00:00.000Z", section: "app", stream: "stdout", version: 1, text },
  };
}
