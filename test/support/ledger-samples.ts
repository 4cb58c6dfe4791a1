/** Assignments, sets of them and events of the ledger's tests, told apart by a number. */

import type { Assignment, DesiredUpdate, ReportEntry } from "@tijolo/protocol";
import { hashAssignment, hashSet } from "../../agent/src/ledger/assignment-hash.ts";
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

/** In one part. */
export function fullSet(revision: number, assignments: Assignment[]): DesiredUpdate {
  const setHash = hashSet(new Map(assignments.map((each) => [each.projectId, hashAssignment(each)])));
  return { revision, part: 0, isFull: true, upserts: assignments, deletes: [], setHash };
}
