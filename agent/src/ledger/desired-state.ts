/** Takes the desired state into the ledger, each update as a whole, and returns it. */

import type { Assignment, DesiredUpdate } from "@tijolo/protocol";
import type { Database } from "better-sqlite3";
import type { DesiredTable } from "./desired-table.ts";
import type { ImageTable } from "./image-table.ts";
import type { KnownDeparture, ProjectTable } from "./project-table.ts";
import { StagedTable } from "./staged-table.ts";

/** The part of the ledger that central decides. */
export interface DesiredState {
  /**
   * Returns the assignments by project id, as central sent them last. A project that central does not name
   * any more ({@link unwanted}) keeps its assignment until central gives a reason ({@link departures}).
   */
  assignments(): Assignment[];
  /**
   * Returns the projects with an assignment that central no longer names, and since when (milliseconds since
   * 1970).
   */
  unwanted(): ReadonlyMap<string, number>;
  /** Returns the projects that central gave up on this host, and why, until they are gone from it. */
  departures(): ReadonlyMap<string, KnownDeparture>;
  /** True once central has sent a whole desired state: before that, nothing here can be called unwanted. */
  hasTakenSet(): boolean;
  /** Returns what to report to central for the desired state; revision 0 before the first update. */
  held(): { revision: number; setHash: string };
  /**
   * Takes one part of an update; with the last one the update takes effect as a whole. An assignment of an
   * older generation than the known one is ignored; one without variables keeps those that were known, under
   * the tag that they came with. `isConsistent` false: this is not the set that central means; ask for the
   * full set. Throws for a part that is not the next one.
   */
  applyDesired(part: DesiredUpdate): { isComplete: boolean; isConsistent: boolean };
}

interface DesiredTables {
  file: Database;
  desired: DesiredTable;
  projects: ProjectTable;
  images: ImageTable;
  clock: { now(): number };
}

export function desiredState({ file, desired, projects, images, clock }: DesiredTables): DesiredState {
  const staged = new StagedTable(file);
  return {
    assignments: () => desired.assignments(),
    unwanted: () => desired.unwanted(),
    departures: () => projects.departures(),
    hasTakenSet: () => desired.revision() > 0,
    held: () => desired.held(),
    applyDesired: file.transaction((part: DesiredUpdate) => {
      staged.add(part);
      if (part.setHash === null) return { isComplete: false, isConsistent: true };
      const { taken, departed } = desired.apply(part, staged.rows(), clock.now());
      for (const { projectId, generation } of taken) projects.note(projectId, generation);
      for (const departure of departed) projects.depart(departure, clock.now());
      staged.clear();
      if (part.imageOverrides !== undefined) images.replaceOverrides(part.imageOverrides);
      return { isComplete: true, isConsistent: desired.held().setHash === part.setHash };
    }),
  };
}
