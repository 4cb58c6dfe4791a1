/**
 * Stores the assignments of the ledger: the set that central wants, with the hash by which both sides compare
 * it; and assignments that central no longer names, which stay in force until it says why.
 */

import type { Assignment, Departure, DesiredUpdate } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";
import { hashSet } from "./assignment-hash.ts";
import type { StagedRow } from "./staged-table.ts";

/** Assignments that an update brought, and the projects that it removed with their reasons. */
export interface TakenUpdate {
  taken: Pick<Assignment, "projectId" | "generation">[];
  departed: Departure[];
}

export class DesiredTable {
  /** Parsed assignments by project id: most of a set is unchanged from one update to the next. */
  readonly #parsed = new Map<string, { hash: string; assignment: Assignment }>();
  readonly #selectHashes: Statement<[], { project_id: string; hash: string; unwanted_at: number | null }>;
  readonly #selectRevision: Statement<[], { revision: number }>;
  readonly #selectGeneration: Statement<[string], { generation: number; departure: string | null }>;
  readonly #upsert: Statement<[string, number, string, string]>;
  readonly #selectBody: Statement<[string], { body: string }>;
  readonly #delete: Statement<[string]>;
  readonly #leave: Statement<[number, string]>;
  readonly #leaveUnstaged: Statement<[number]>;
  readonly #setRevision: Statement<[number]>;

  constructor(file: Database) {
    this.#selectHashes = file.prepare(
      "SELECT project_id, hash, unwanted_at FROM assignment ORDER BY project_id",
    );
    this.#selectRevision = file.prepare("SELECT revision FROM host");
    this.#selectGeneration = file.prepare("SELECT generation, departure FROM project WHERE project_id = ?");
    this.#upsert = file.prepare(
      "INSERT OR REPLACE INTO assignment (project_id, generation, hash, body) VALUES (?, ?, ?, ?)",
    );
    this.#selectBody = file.prepare("SELECT body FROM assignment WHERE project_id = ?");
    this.#delete = file.prepare("DELETE FROM assignment WHERE project_id = ?");
    this.#leave = file.prepare(
      "UPDATE assignment SET unwanted_at = coalesce(unwanted_at, ?) WHERE project_id = ?",
    );
    this.#leaveUnstaged = file.prepare(
      "UPDATE assignment SET unwanted_at = ? WHERE unwanted_at IS NULL AND project_id NOT IN (SELECT project_id FROM staged)",
    );
    this.#setRevision = file.prepare("UPDATE host SET revision = ?");
  }

  /** Returns the same objects as long as nothing changed, so callers must not modify them. */
  assignments(): Assignment[] {
    const rows = this.#selectHashes.all();
    const ids = new Set(rows.map((row) => row.project_id));
    for (const projectId of this.#parsed.keys()) if (!ids.has(projectId)) this.#parsed.delete(projectId);
    return rows.flatMap((row) => this.#find(row.project_id, row.hash) ?? []);
  }

  /** Returns the projects that central no longer names, and since when (milliseconds since 1970). */
  unwanted(): Map<string, number> {
    return new Map(
      this.#selectHashes
        .all()
        .flatMap((row) => (row.unwanted_at === null ? [] : [[row.project_id, row.unwanted_at]])),
    );
  }

  held(): { revision: number; setHash: string } {
    return { revision: this.revision(), setHash: hashSet(this.#hashes()) };
  }

  /** Returns the revision; 0 before the first update. */
  revision(): number {
    return this.#selectRevision.get()?.revision ?? 0;
  }

  /** Runs inside a transaction of the caller. What the update leaves out counts as unwanted since `nowMs`. */
  apply({ revision, isFull }: DesiredUpdate, staged: Iterable<StagedRow>, nowMs: number): TakenUpdate {
    const update: TakenUpdate = { taken: [], departed: [] };
    if (isFull) this.#leaveUnstaged.run(nowMs);
    for (const { project_id: projectId, hash, body, departure } of staged) {
      this.#parsed.delete(projectId);
      if (body === null || hash === null) {
        if (departure === "deleted") this.#delete.run(projectId);
        else this.#leave.run(nowMs, projectId);
        if (departure !== null) update.departed.push({ projectId, reason: departure });
        continue;
      }
      const assignment = JSON.parse(body) as Assignment;
      if (this.#isOutdated(assignment)) {
        if (this.#hasMoved(projectId)) update.departed.push({ projectId, reason: "elsewhere" });
        continue;
      }
      const { generation } = assignment;
      this.#upsert.run(
        projectId,
        generation,
        hash,
        assignment.variables === null ? this.#withKnownVariables(assignment) : body,
      );
      update.taken.push({ projectId, generation });
    }
    this.#setRevision.run(revision);
    return update;
  }

  /**
   * Removes the assignment of a project that is gone from this host, unless central wants it. Must be called
   * inside a transaction.
   */
  remove(projectId: string): void {
    if (this.unwanted().has(projectId)) this.#delete.run(projectId);
  }

  /**
   * Keeps the variables that came before when central could not open the current ones; they stay in force
   * under their own tag.
   */
  #withKnownVariables(assignment: Assignment): string {
    const known = this.#selectBody.get(assignment.projectId);
    if (known === undefined) return JSON.stringify(assignment);
    const { variables, configTag } = JSON.parse(known.body) as Assignment;
    return JSON.stringify(variables === null ? assignment : { ...assignment, variables, configTag });
  }

  #find(projectId: string, hash: string): Assignment | undefined {
    const known = this.#parsed.get(projectId);
    if (known?.hash === hash) return known.assignment;
    const body = this.#selectBody.get(projectId)?.body;
    if (body === undefined) return undefined;
    const assignment = JSON.parse(body) as Assignment;
    this.#parsed.set(projectId, { hash, assignment });
    return assignment;
  }

  /**
   * True when a project that was given up here comes back under the same or an earlier generation: it may
   * return under a later one only, as a central restored from a backup does not know of the departure.
   */
  #isOutdated({ projectId, generation }: Assignment): boolean {
    const known = this.#selectGeneration.get(projectId);
    return (
      known !== undefined &&
      (known.departure === null ? generation < known.generation : generation <= known.generation)
    );
  }

  /**
   * True when a central that was set back wants the project here again: its disk, which may be the only one,
   * is not freed after a day.
   */
  #hasMoved(projectId: string): boolean {
    return this.#selectGeneration.get(projectId)?.departure === "moved";
  }

  /** Returns the hash of each assignment that central still wants, by project id. */
  #hashes(): Map<string, string> {
    return new Map(
      this.#selectHashes
        .all()
        .flatMap((row) => (row.unwanted_at === null ? [[row.project_id, row.hash]] : [])),
    );
  }
}
