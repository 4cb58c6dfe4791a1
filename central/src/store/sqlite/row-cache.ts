/**
 * Holds the one cache of central: rows that requests read over and over, until they change. This process is
 * the only writer, and SQLite itself reports each row that is changed, so an entry is never older than the
 * last commit.
 */

import type BetterSqlite3 from "better-sqlite3";

const maxEntries = 50_000;

/** The keys that a changed `row` of a table makes invalid, as SQL; null: all keys there are. */
const keysOfTables: Record<string, readonly string[] | null> = {
  project: ["'project ' || row.id", "'subdomain ' || row.served_subdomain"],
  placement: ["'project ' || row.project_id"],
  domain: ["'domain ' || row.hostname"],
  project_variables: ["'project ' || row.project_id"],
  site_settings: ["'site settings ' || row.project_id"],
  api_key: ["'key ' || row.hash"],
  session: ["'session ' || row.token_hash"],
  account: null,
  person: null,
};

export class RowCache {
  readonly #entries = new Map<string, Promise<unknown>>();

  /** Returns what was read under `key` since it last changed, or reads it. A missing row is not cached. */
  find<Found>(key: string, read: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const known = this.#entries.get(key) as Promise<Found | undefined> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    if (this.#entries.size >= maxEntries)
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    this.#entries.set(key, reading);
    const drop = () => {
      if (this.#entries.get(key) === reading) this.#entries.delete(key);
    };
    reading.then((found) => {
      if (found === undefined) drop();
    }, drop);
    return reading;
  }

  /** Forgets an entry, and also a read that is under way: a later caller has it read again. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#entries.clear();
  }

  /** Makes SQLite report changed rows, by triggers of this connection that are not stored. */
  follow(sqlite: BetterSqlite3.Database): void {
    sqlite.function("forget_row", (key) => {
      if (typeof key === "string") this.forget(key);
      return null;
    });
    sqlite.function("forget_all_rows", () => {
      this.forgetAll();
      return null;
    });
    for (const [table, keys] of Object.entries(keysOfTables)) {
      const on = (event: "insert" | "update" | "delete", rows: readonly ("old" | "new")[]) => {
        const calls =
          keys === null
            ? ["forget_all_rows()"]
            : rows.flatMap((row) => keys.map((key) => `forget_row(${key.replaceAll("row.", `${row}.`)})`));
        sqlite.exec(
          `create temp trigger forget_${table}_${event} after ${event} on main.${table} begin select ${calls.join(", ")}; end`,
        );
      };
      // Nothing that is cached hangs on an account or a person that was not there.
      if (keys !== null) on("insert", ["new"]);
      on("update", ["old", "new"]);
      on("delete", ["old"]);
    }
  }
}
