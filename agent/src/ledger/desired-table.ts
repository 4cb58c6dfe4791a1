/** The assignments of the ledger: the set that central wants, with the hash by which both sides compare it. */

import type { Assignment, DesiredUpdate } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";
import { hashSet } from "./assignment-hash.ts";
import type { StagedRow } from "./staged-table.ts";

export class DesiredTable {
  /** By project id: most of a set stays as it is from one update to the next. */
  readonly #parsed = new Map<string, { hash: string; assignment: Assignment }>();
  readonly #selectHashes: Statement<[], { project_id: string; hash: string }>;
  readonly #selectRevision: Statement<[], { revision: number }>;
  readonly #selectGeneration: Statement<[string], { generation: number }>;
  readonly #upsert: Statement<[string, number, string, string]>;
  readonly #selectBody: Statement<[string], { body: string }>;
  readonly #delete: Statement<[string]>;
  readonly #deleteUnstaged: Statement<[]>;
  readonly #setRevision: Statement<[number]>;

  constructor(file: Database) {
    this.#selectHashes = file.prepare("SELECT project_id, hash FROM assignment ORDER BY project_id");
    this.#selectRevision = file.prepare("SELECT revision FROM host");
    this.#selectGeneration = file.prepare("SELECT generation FROM project WHERE project_id = ?");
    this.#upsert = file.prepare("INSERT OR REPLACE INTO assignment (project_id, generation, hash, body) VALUES (?, ?, ?, ?)");
    this.#selectBody = file.prepare("SELECT body FROM assignment WHERE project_id = ?");
    this.#delete = file.prepare("DELETE FROM assignment WHERE project_id = ?");
    this.#deleteUnstaged = file.prepare("DELETE FROM assignment WHERE project_id NOT IN (SELECT project_id FROM staged)");
    this.#setRevision = file.prepare("UPDATE host SET revision = ?");
  }

  /** The same objects again as long as nothing changed, so not to be changed. */
  assignments(): Assignment[] {
    const hashes = this.#hashes();
    for (const projectId of this.#parsed.keys()) if (!hashes.has(projectId)) this.#parsed.delete(projectId);
    return [...hashes].flatMap(([projectId, hash]) => this.#find(projectId, hash) ?? []);
  }

  held(): { revision: number; setHash: string } {
    return { revision: this.revision(), setHash: hashSet(this.#hashes()) };
  }

  /** 0 before the first update. */
  revision(): number {
    return this.#selectRevision.get()?.revision ?? 0;
  }

  /** Answers what took effect. To be called inside a transaction. */
  apply({ revision, isFull }: DesiredUpdate, staged: Iterable<StagedRow>): Pick<Assignment, "projectId" | "generation">[] {
    const taken: Pick<Assignment, "projectId" | "generation">[] = [];
    if (isFull) this.#deleteUnstaged.run();
    for (const { project_id: projectId, hash, body } of staged) {
      this.#parsed.delete(projectId);
      if (body === null || hash === null) {
        this.#delete.run(projectId);
        continue;
      }
      const assignment = JSON.parse(body) as Assignment;
      if (this.#isOutdated(assignment)) continue;
      const { generation } = assignment;
      this.#upsert.run(projectId, generation, hash, assignment.variables === null ? this.#withKnownVariables(assignment) : body);
      taken.push({ projectId, generation });
    }
    this.#setRevision.run(revision);
    return taken;
  }

  /** Central could not open them: those that came before go on to hold, under their own tag. */
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

  #isOutdated({ projectId, generation }: Assignment): boolean {
    return generation < (this.#selectGeneration.get(projectId)?.generation ?? 0);
  }

  #hashes(): Map<string, string> {
    return new Map(this.#selectHashes.all().map((row) => [row.project_id, row.hash]));
  }
}
