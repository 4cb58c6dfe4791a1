/** Remembers the projects of this host in the ledger and in the copies beside it. */

import type { ReportEntry } from "@tijolo/protocol";
import type { Database } from "better-sqlite3";
import type { DesiredTable } from "./desired-table.ts";
import type { Outbox } from "./outbox.ts";
import type { ProjectCopies } from "./project-copies.ts";
import type { KnownProject, ProjectTable } from "./project-table.ts";

/** The part of the ledger that the host itself knows of its projects. */
export interface KnownProjects {
  /**
   * Returns every project that has a record, a uid or an assignment here; longer than its assignment, until
   * {@link removeProject}.
   */
  projectIds(): string[];
  /**
   * Adds rows of generation 0 for projects that were found on this host. What is known of a project stays as
   * it is; a uid index that another project has is not taken over.
   */
  noteFound(projects: readonly Pick<KnownProject, "projectId" | "uidIndex">[]): void;
  /** Returns the project's generation; 0 for a project that the ledger does not know. */
  generationOf(projectId: string): number;
  /** Returns the reconciler's own record, as it was saved. */
  findRecord(projectId: string): unknown;
  /**
   * Saves the record and, in the same transaction, puts the events into the outbox under the project's
   * generation. Throws for an unknown project.
   */
  saveRecord(projectId: string, record: unknown, events: ReportEntry["event"][]): void;
  /**
   * Returns a small number that no other project here has, the same until the project is removed. Throws for
   * an unknown project.
   */
  uidIndexOf(projectId: string): number;
  /** Returns the same number if it was chosen before; undefined otherwise. Throws for an unknown project. */
  findUidIndex(projectId: string): number | undefined;
  /**
   * Forgets a project that is gone from this host. Its entries in the outbox are still reported. Keeps a
   * project that central wants here.
   */
  removeProject(projectId: string): void;
}

interface ProjectTables {
  file: Database;
  desired: DesiredTable;
  projects: ProjectTable;
  outbox: Outbox;
  /** Copies of the projects; undefined where none are made. */
  copies: ProjectCopies | undefined;
}

export function knownProjects({ file, desired, projects, outbox, copies }: ProjectTables): KnownProjects {
  const saveRecord = file.transaction(
    (projectId: string, record: unknown, events: ReportEntry["event"][]) => {
      const generation = projects.saveRecord(projectId, record);
      for (const event of events) outbox.append(projectId, generation, event);
    },
  );
  const removeProject = file.transaction((projectId: string) => {
    desired.remove(projectId);
    projects.remove(projectId);
  });
  const chooseUidIndex = file.transaction((projectId: string) => projects.chooseUidIndex(projectId));
  return {
    projectIds: () => projects.ids(),
    noteFound(found) {
      file.transaction(() => projects.restore(found.map((project) => ({ ...project, generation: 0 }))))();
      for (const { projectId } of found) copies?.note(projectId);
    },
    generationOf: (projectId) => projects.find(projectId)?.generation ?? 0,
    findRecord: (projectId) => projects.findRecord(projectId),
    saveRecord(projectId, record, events) {
      saveRecord(projectId, record, events);
      copies?.note(projectId);
    },
    findUidIndex: (projectId) => projects.findUidIndex(projectId),
    uidIndexOf(projectId) {
      const known = projects.findUidIndex(projectId);
      if (known !== undefined) return known;
      const index = chooseUidIndex(projectId);
      copies?.flush(projectId);
      return index;
    },
    removeProject(projectId) {
      removeProject(projectId);
      if (projects.find(projectId) === undefined) copies?.remove(projectId);
    },
  };
}
