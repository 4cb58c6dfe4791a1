/** The projects of the ledger: known generation, uid index, and the reconciler's record of each. */

import type { Database, Statement } from "better-sqlite3";

export class ProjectTable {
  readonly #note: Statement<[string, number]>;
  readonly #selectIds: Statement<[], { project_id: string }>;
  readonly #selectRecord: Statement<[string], { record: string | null }>;
  readonly #saveRecord: Statement<[string, string], { generation: number }>;
  readonly #selectUidIndex: Statement<[string], { uid_index: number | null }>;
  readonly #selectUidIndices: Statement<[], { uid_index: number }>;
  readonly #setUidIndex: Statement<[number, string]>;
  readonly #remove: Statement<[string, string]>;

  constructor(file: Database) {
    this.#note = file.prepare(
      "INSERT INTO project (project_id, generation) VALUES (?, ?) ON CONFLICT (project_id) DO UPDATE SET generation = max(generation, excluded.generation)",
    );
    this.#selectIds = file.prepare("SELECT project_id FROM project ORDER BY project_id");
    this.#selectRecord = file.prepare("SELECT record FROM project WHERE project_id = ?");
    this.#saveRecord = file.prepare("UPDATE project SET record = ? WHERE project_id = ? RETURNING generation");
    this.#selectUidIndex = file.prepare("SELECT uid_index FROM project WHERE project_id = ?");
    this.#selectUidIndices = file.prepare("SELECT uid_index FROM project WHERE uid_index IS NOT NULL ORDER BY uid_index");
    this.#setUidIndex = file.prepare("UPDATE project SET uid_index = ? WHERE project_id = ?");
    this.#remove = file.prepare("DELETE FROM project WHERE project_id = ? AND NOT EXISTS (SELECT 1 FROM assignment WHERE project_id = ?)");
  }

  note(projectId: string, generation: number): void {
    this.#note.run(projectId, generation);
  }

  ids(): string[] {
    return this.#selectIds.all().map((row) => row.project_id);
  }

  findRecord(projectId: string): unknown {
    const text = this.#selectRecord.get(projectId)?.record ?? null;
    return text === null ? undefined : JSON.parse(text);
  }

  /** Answers the project's generation. */
  saveRecord(projectId: string, record: unknown): number {
    const row = this.#saveRecord.get(JSON.stringify(record), projectId);
    if (row === undefined) throw unknownProject(projectId);
    return row.generation;
  }

  /** To be called inside a transaction. */
  uidIndexOf(projectId: string): number {
    const row = this.#selectUidIndex.get(projectId);
    if (row === undefined) throw unknownProject(projectId);
    if (row.uid_index !== null) return row.uid_index;
    const index = smallestFree(this.#selectUidIndices.all().map((used) => used.uid_index));
    this.#setUidIndex.run(index, projectId);
    return index;
  }

  remove(projectId: string): void {
    this.#remove.run(projectId, projectId);
  }
}

/** `used` is sorted. */
function smallestFree(used: readonly number[]): number {
  const gap = used.findIndex((value, index) => value !== index);
  return gap < 0 ? used.length : gap;
}

function unknownProject(projectId: string): Error {
  return new Error(`the ledger knows no project ${projectId}`);
}
