/** Records when keys were last used, to the minute; written in batches, so that a read stays a read. */

import { saveKeyUses, type KeyRow } from "../../store/tables/people/key.ts";
import { transact, type Database } from "../../store/store.ts";

const noteEveryMs = 60_000;
const savedAtOnce = 100;

export class KeyUses {
  readonly #db: Database;
  /** Uses that are not yet written. */
  readonly #noted = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  note(key: Pick<KeyRow, "id" | "lastUsedAt">, now: number): void {
    const known = this.#noted.get(key.id) ?? key.lastUsedAt;
    if (known === null || now - known >= noteEveryMs) this.#noted.set(key.id, now);
  }

  /** Returns the last use that is not yet in the database. */
  lastUsedAt(keyId: string): number | undefined {
    return this.#noted.get(keyId);
  }

  /** Saves the uses in small batches: each is a row to write, and requests wait for the transaction. */
  async save(): Promise<void> {
    const uses = [...this.#noted];
    for (let from = 0; from < uses.length; from += savedAtOnce) {
      const some = uses.slice(from, from + savedAtOnce);
      await transact(this.#db, (tx) => saveKeyUses(tx, some));
      for (const [id, usedAt] of some) if (this.#noted.get(id) === usedAt) this.#noted.delete(id);
    }
  }
}
