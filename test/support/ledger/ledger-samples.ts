/** Makes assignments, sets of them and events of the ledger's tests, which differ by a number. */

import type { Assignment, DesiredUpdate, ReportEntry } from "@tijolo/protocol";
import { hashAssignment, hashSet } from "../../../agent/src/ledger/assignment-hash.ts";
import { sampleAssignment, sampleState } from "../samples.ts";

export function projectIdOf(number: number): string {
  return String(number).padStart(26, "0");
}

export function makeAssignment(number: number, changes: Partial<Assignment> = {}): Assignment {
  return sampleAssignment({ projectId: projectIdOf(number), ...changes });
}

export function stateEvent(consecutiveCrashes: number): ReportEntry["event"] {
  return { kind: "state", state: sampleState({ consecutiveCrashes }) };
}

/** Returns an update in one part. `deleted` are projects whose departure has the reason `deleted`. */
export function fullSet(revision: number, assignments: Assignment[], deleted: string[] = []): DesiredUpdate {
  const setHash = hashSet(new Map(assignments.map((each) => [each.projectId, hashAssignment(each)])));
  const departures = deleted.map((projectId) => ({ projectId, reason: "deleted" as const }));
  return { revision, part: 0, isFull: true, upserts: assignments, deletes: [], departures, setHash };
}
