/**
 * Stores the parts of an update of the desired state that have arrived so far. They are on disk, so a set of
 * any size takes little memory.
 */

import type { DepartureReason, DesiredUpdate } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";
import { hashAssignment } from "./assignment-hash.ts";

/**
 * One project of an update that is still arriving. Without a body central does not want the project here, and
 * `departure` is the reason, where central gave one.
 */
export interface StagedRow {
  project_id: string;
  hash: string | null;
  body: string | null;
  departure: DepartureReason | null;
}

const rowsPerPage = 100;

export class StagedTable {
  readonly #selectParts: Statement<[], { staged_parts: number }>;
  readonly #setParts: Statement<[number]>;
  readonly #clear: Statement<[]>;
  readonly #insert: Statement<[string, string | null, string | null, string | null]>;
  readonly #selectPage: Statement<[string, number], StagedRow>;

  constructor(file: Database) {
    this.#selectParts = file.prepare("SELECT staged_parts FROM host");
    this.#setParts = file.prepare("UPDATE host SET staged_parts = ?");
    this.#clear = file.prepare("DELETE FROM staged");
    this.#insert = file.prepare(
      "INSERT OR REPLACE INTO staged (project_id, hash, body, departure) VALUES (?, ?, ?, ?)",
    );
    this.#selectPage = file.prepare(
      "SELECT project_id, hash, body, departure FROM staged WHERE project_id > ? ORDER BY project_id LIMIT ?",
    );
  }

  /** Adds a part. Must be called inside a transaction. */
  add({ part, upserts, deletes, departures = [] }: DesiredUpdate): void {
    if (part === 0) this.#clear.run();
    else if (part !== this.#selectParts.get()?.staged_parts)
      throw new Error(`part ${part} of the desired state is not the next one`);
    for (const projectId of deletes) this.#insert.run(projectId, null, null, null);
    for (const { projectId, reason } of departures) this.#insert.run(projectId, null, null, reason);
    for (const assignment of upserts)
      this.#insert.run(assignment.projectId, hashAssignment(assignment), JSON.stringify(assignment), null);
    this.#setParts.run(part + 1);
  }

  /** Yields all rows, a few of them in memory at a time. */
  *rows(): Generator<StagedRow> {
    for (let after = ""; ;) {
      const page = this.#selectPage.all(after, rowsPerPage);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < rowsPerPage) return;
      after = last.project_id;
    }
  }

  /** Removes all rows. Must be called inside a transaction. */
  clear(): void {
    this.#clear.run();
    this.#setParts.run(0);
  }
}
