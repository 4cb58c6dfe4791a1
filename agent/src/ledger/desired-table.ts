/** The assignments of the ledger: the set that central wants, with the hash by which both sides compare it. */

import type { Assignment, DesiredUpdate } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";
import { hashAssignment, hashSet } from "./assignment-hash.ts";

export class DesiredTable {
  readonly #selectBodies: Statement<[], { body: string }>;
  readonly #selectHashes: Statement<[], { project_id: string; hash: string }>;
  readonly #selectRevision: Statement<[], { revision: number }>;
  readonly #selectGeneration: Statement<[string], { generation: number }>;
  readonly #upsert: Statement<[string, number, string, string]>;
  readonly #delete: Statement<[string]>;
  readonly #setRevision: Statement<[number]>;

  constructor(file: Database) {
    this.#selectBodies = file.prepare("SELECT body FROM assignment ORDER BY project_id");
    this.#selectHashes = file.prepare("SELECT project_id, hash FROM assignment");
    this.#selectRevision = file.prepare("SELECT revision FROM host");
    this.#selectGeneration = file.prepare("SELECT generation FROM project WHERE project_id = ?");
    this.#upsert = file.prepare("INSERT OR REPLACE INTO assignment (project_id, generation, hash, body) VALUES (?, ?, ?, ?)");
    this.#delete = file.prepare("DELETE FROM assignment WHERE project_id = ?");
    this.#setRevision = file.prepare("UPDATE host SET revision = ?");
  }

  assignments(): Assignment[] {
    return this.#selectBodies.all().map(({ body }) => JSON.parse(body) as Assignment);
  }

  held(): { revision: number; setHash: string } {
    return { revision: this.#selectRevision.get()?.revision ?? 0, setHash: hashSet(this.#hashes()) };
  }

  /** Answers the assignments that took effect. To be called inside a transaction. */
  apply({ revision, isFull, upserts, deletes }: DesiredUpdate): Assignment[] {
    const wanted = new Set(upserts.map(({ projectId }) => projectId));
    const gone = isFull ? [...this.#hashes().keys()].filter((projectId) => !wanted.has(projectId)) : deletes;
    for (const projectId of gone) this.#delete.run(projectId);
    const taken = upserts.filter((assignment) => !this.#isOutdated(assignment));
    for (const assignment of taken) {
      this.#upsert.run(assignment.projectId, assignment.generation, hashAssignment(assignment), JSON.stringify(assignment));
    }
    this.#setRevision.run(revision);
    return taken;
  }

  #isOutdated({ projectId, generation }: Assignment): boolean {
    return generation < (this.#selectGeneration.get(projectId)?.generation ?? 0);
  }

  #hashes(): Map<string, string> {
    return new Map(this.#selectHashes.all().map((row) => [row.project_id, row.hash]));
  }
}
