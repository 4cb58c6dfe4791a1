/** Stores the reports that central has yet to take: numbered entries that stay until they are taken. */

import type { ReportEntry } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";

export interface OutboxOptions {
  file: Database;
  logger: { warn(fields: object, message: string): void };
  maxEntries: number;
}

interface Row {
  sequence: number;
  project_id: string;
  generation: number;
  event: string;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #takeNumber: Statement<[], { sequence: number }>;
  readonly #insert: Statement<[number, string, number, string, string]>;
  readonly #deleteStates: Statement<[string]>;
  readonly #measure: Statement<[], { count: number }>;
  readonly #selectFirst: Statement<[], { sequence: number | null }>;
  readonly #deleteOldest: Statement<[number]>;
  readonly #select: Statement<[number], Row>;
  readonly #deleteTaken: Statement<[number]>;
  readonly #raiseNumber: Statement<[number]>;
  readonly #selectNumber: Statement<[], { sequence: number }>;
  readonly #moveUp: Statement<[number]>;
  /** Sequence number that central reported last; null before its first report. */
  #taken: number | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { file } = options;
    this.#takeNumber = file.prepare(
      "UPDATE host SET next_sequence = next_sequence + 1 RETURNING next_sequence - 1 AS sequence",
    );
    this.#insert = file.prepare(
      "INSERT INTO outbox (sequence, project_id, generation, kind, event) VALUES (?, ?, ?, ?, ?)",
    );
    this.#deleteStates = file.prepare("DELETE FROM outbox WHERE project_id = ? AND kind = 'state'");
    this.#measure = file.prepare("SELECT count(*) AS count FROM outbox");
    this.#selectFirst = file.prepare("SELECT min(sequence) AS sequence FROM outbox");
    this.#deleteOldest = file.prepare(
      "DELETE FROM outbox WHERE sequence IN (SELECT sequence FROM outbox ORDER BY sequence LIMIT ?)",
    );
    this.#select = file.prepare(
      "SELECT sequence, project_id, generation, event FROM outbox ORDER BY sequence LIMIT ?",
    );
    this.#deleteTaken = file.prepare("DELETE FROM outbox WHERE sequence <= ?");
    this.#raiseNumber = file.prepare("UPDATE host SET next_sequence = max(next_sequence, ?)");
    this.#selectNumber = file.prepare("SELECT next_sequence AS sequence FROM host");
    this.#moveUp = file.prepare("UPDATE outbox SET sequence = sequence + ?");
  }

  /**
   * Adds an entry. A state replaces the untaken one of its project: only the newest counts. Must be called
   * inside a transaction.
   */
  append(projectId: string, generation: number, event: ReportEntry["event"]): void {
    if (event.kind === "state") this.#deleteStates.run(projectId);
    const sequence = this.#takeNumber.get()?.sequence;
    if (sequence === undefined) throw new Error("the ledger has lost its host row");
    this.#insert.run(sequence, projectId, generation, event.kind, JSON.stringify(event));
    this.#keepBound(sequence);
  }

  pending(limit: number): ReportEntry[] {
    return this.#select.all(limit).map(({ sequence, project_id: projectId, generation, event }) => {
      return { sequence, projectId, generation, event: JSON.parse(event) as ReportEntry["event"] };
    });
  }

  taken(sequence: number): void {
    this.#deleteTaken.run(sequence);
    this.#raiseNumber.run(sequence + 1);
    this.#taken = sequence;
  }

  /**
   * Continues from what central reports at the beginning of a connection. Returns false when it took entries
   * that this ledger never wrote, or does not have what it took from it: one of the two was lost, or set
   * back. Must be called inside a transaction.
   */
  resume(sequence: number): boolean {
    const next = this.#selectNumber.get()?.sequence ?? 1;
    const isOfAnother = sequence >= next;
    const first = this.#selectFirst.get()?.sequence ?? null;
    const isSetBack = sequence < (this.#taken ?? (first === null ? next - 1 : 0));
    if (isOfAnother) {
      // Those that wait are not among what it took.
      this.#moveUp.run(sequence);
      this.#raiseNumber.run(next + sequence);
      this.#taken = sequence;
    } else this.taken(sequence);
    return !isOfAnother && !isSetBack;
  }

  /** Drops a tenth of the bound at once, so that a full outbox does not log each new entry. */
  #keepBound(lastSequence: number): void {
    const { maxEntries, logger } = this.#options;
    // Cheap, and never too small: numbers are not given twice.
    if (lastSequence - (this.#selectFirst.get()?.sequence ?? 0) < maxEntries) return;
    const count = this.#measure.get()?.count ?? 0;
    if (count <= maxEntries) return;
    const { changes } = this.#deleteOldest.run(count - maxEntries + Math.floor(maxEntries / 10));
    logger.warn(
      { dropped: changes, maxEntries },
      "ledger: the outbox was full; its oldest entries are lost to central",
    );
  }
}
