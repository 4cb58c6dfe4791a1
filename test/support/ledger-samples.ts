/** Assignments and events of the ledger's tests, told apart by a number. */

import type { Assignment, ReportEntry } from "@tijolo/protocol";
import { sampleAssignment, sampleState } from "./samples.ts";

export function projectIdOf(number: number): string {
  return String(number).padStart(26, "0");
}

export function makeAssignment(number: number, changes: Partial<Assignment> = {}): Assignment {
  return sampleAssignment({ projectId: projectIdOf(number), ...changes });
}

export function stateEvent(consecutiveCrashes: number): ReportEntry["event"] {
  return { kind: "state", state: sampleState({ consecutiveCrashes }) };
}
