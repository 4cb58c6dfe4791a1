/** Stores the projects of the ledger: known generation, uid index, and the reconciler's record of each. */

import type { Departure, DepartureReason } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";

/** Facts that the ledger stores about a project. */
export interface KnownProject {
  projectId: string;
  generation: number;
  uidIndex: number | null;
  record?: unknown;
}

/** Reason why a project left this host, and since when the host knows (milliseconds since 1970). */
export interface KnownDeparture {
  reason: DepartureReason;
  atMs: number;
}

interface Row {
  project_id: string;
  generation: number;
  uid_index: number | null;
  record: string | null;
}

export class ProjectTable {
  readonly #select: Statement<[string], Row>;
  readonly #restore: Statement<[Row]>;
  readonly #note: Statement<[string, number]>;
  readonly #selectIds: Statement<[], { project_id: string }>;
  readonly #saveRecord: Statement<[string, string], { generation: number }>;
  readonly #selectUidIndices: Statement<[], { uid_index: number }>;
  readonly #setUidIndex: Statement<[number, string]>;
  readonly #remove: Statement<[string, string]>;
  readonly #depart: Statement<[{ reason: string; at: number; id: string }]>;
  readonly #selectDeparted: Statement<
    [],
    { project_id: string; departure: DepartureReason; departed_at: number }
  >;

  constructor(file: Database) {
    this.#note = file.prepare(
      "INSERT INTO project (project_id, generation) VALUES (?, ?) ON CONFLICT (project_id) DO UPDATE SET generation = max(generation, excluded.generation), departure = NULL, departed_at = NULL",
    );
    this.#depart = file.prepare(
      "UPDATE project SET departed_at = CASE WHEN departure = @reason THEN departed_at ELSE @at END, departure = @reason WHERE project_id = @id",
    );
    this.#selectDeparted = file.prepare(
      "SELECT project_id, departure, departed_at FROM project WHERE departure IS NOT NULL",
    );
    this.#selectIds = file.prepare("SELECT project_id FROM project ORDER BY project_id");
    this.#select = file.prepare(
      "SELECT project_id, generation, uid_index, record FROM project WHERE project_id = ?",
    );
    this.#restore = file.prepare(
      "INSERT OR IGNORE INTO project (project_id, generation, uid_index, record) VALUES (@project_id, @generation, @uid_index, @record)",
    );
    this.#saveRecord = file.prepare(
      "UPDATE project SET record = ? WHERE project_id = ? RETURNING generation",
    );
    this.#selectUidIndices = file.prepare(
      "SELECT uid_index FROM project WHERE uid_index IS NOT NULL ORDER BY uid_index",
    );
    this.#setUidIndex = file.prepare("UPDATE project SET uid_index = ? WHERE project_id = ?");
    this.#remove = file.prepare(
      "DELETE FROM project WHERE project_id = ? AND NOT EXISTS (SELECT 1 FROM assignment WHERE project_id = ?)",
    );
  }

  /** Records that the project belongs to this host, under this generation or a later one that is known. */
  note(projectId: string, generation: number): void {
    this.#note.run(projectId, generation);
  }

  /**
   * Records why central gave a project up. Ignores a project without a row; keeps the time of an earlier
   * record.
   */
  depart({ projectId, reason }: Departure, nowMs: number): void {
    this.#depart.run({ reason, at: nowMs, id: projectId });
  }

  departures(): Map<string, KnownDeparture> {
    return new Map(
      this.#selectDeparted
        .all()
        .map((row) => [row.project_id, { reason: row.departure, atMs: row.departed_at }]),
    );
  }

  ids(): string[] {
    return this.#selectIds.all().map((row) => row.project_id);
  }

  find(projectId: string): KnownProject | undefined {
    const row = this.#select.get(projectId);
    return row === undefined
      ? undefined
      : { projectId, generation: row.generation, uidIndex: row.uid_index, record: parse(row.record) };
  }

  findRecord(projectId: string): unknown {
    return parse(this.#select.get(projectId)?.record ?? null);
  }

  /**
   * Adds projects from copies. A known project stays as it is; of two with one uid index, the first keeps it.
   * Must be called inside a transaction.
   */
  restore(projects: Iterable<KnownProject>): void {
    const used = new Set(this.#selectUidIndices.all().map((row) => row.uid_index));
    for (const { projectId, generation, uidIndex, record } of projects) {
      const isFree = uidIndex !== null && !used.has(uidIndex);
      const row = {
        project_id: projectId,
        generation,
        uid_index: isFree ? uidIndex : null,
        record: JSON.stringify(record) ?? null,
      };
      if (this.#restore.run(row).changes > 0 && isFree) used.add(uidIndex);
    }
  }

  /** Saves the record and returns the project's generation. */
  saveRecord(projectId: string, record: unknown): number {
    const row = this.#saveRecord.get(JSON.stringify(record), projectId);
    if (row === undefined) throw unknownProject(projectId);
    return row.generation;
  }

  /** Returns the uid index; undefined before the first {@link chooseUidIndex}. */
  findUidIndex(projectId: string): number | undefined {
    const row = this.#select.get(projectId);
    if (row === undefined) throw unknownProject(projectId);
    return row.uid_index ?? undefined;
  }

  /** Chooses the uid index of a project that has none. Must be called inside a transaction. */
  chooseUidIndex(projectId: string): number {
    const index = smallestFree(this.#selectUidIndices.all().map((used) => used.uid_index));
    this.#setUidIndex.run(index, projectId);
    return index;
  }

  remove(projectId: string): void {
    this.#remove.run(projectId, projectId);
  }
}

/** Returns the smallest free number; `used` is sorted. */
function smallestFree(used: readonly number[]): number {
  const gap = used.findIndex((value, index) => value !== index);
  return gap < 0 ? used.length : gap;
}

function unknownProject(projectId: string): Error {
  return new Error(`the ledger knows no project ${projectId}`);
}

function parse(record: string | null): unknown {
  return record === null ? undefined : JSON.parse(record);
}
