/**
 * Ties what {@link RecentReads} keeps to the rows that it comes from: SQLite itself tells of each row that is
 * changed, whoever changes it.
 */

import type BetterSqlite3 from "better-sqlite3";
import type { RecentReads } from "./recent-reads.ts";

/** Keys of what is kept, as SQL over the `row` that was changed; null: all that is kept. */
const sources: Record<string, readonly string[] | null> = {
  project: ["'project ' || row.id", "'subdomain ' || row.served_subdomain"],
  placement: ["'project ' || row.project_id"],
  project_variables: ["'project ' || row.project_id"],
  api_key: ["'key ' || row.hash"],
  session: ["'session ' || row.token_hash"],
  account: null,
  person: null,
};

/** Triggers of this connection only; nothing of them is stored. */
export function forgetChanged(sqlite: BetterSqlite3.Database, recent: RecentReads): void {
  sqlite.function("forget_recent", (key) => {
    if (typeof key === "string") recent.forget(key);
    return null;
  });
  sqlite.function("forget_all_recent", () => {
    recent.forgetAll();
    return null;
  });
  for (const [table, keys] of Object.entries(sources)) {
    const triggers = {
      insert: forget(keys, "new"),
      update: forgetUpdated(keys),
      delete: forget(keys, "old"),
    };
    for (const [event, statements] of Object.entries(triggers)) {
      sqlite.exec(
        `create temp trigger forget_${table}_${event} after ${event} on main.${table} begin ${statements.join("; ")}; end`,
      );
    }
  }
}

function forget(keys: readonly string[] | null, row: "old" | "new"): string[] {
  return keys === null
    ? ["select forget_all_recent()"]
    : keys.map((key) => `select forget_recent(${of(key, row)}) where ${of(key, row)} is not null`);
}

function forgetUpdated(keys: readonly string[] | null): string[] {
  const isMoved = (key: string) => `${of(key, "new")} is not ${of(key, "old")}`;
  const moved = (keys ?? []).map(
    (key) =>
      `select forget_recent(${of(key, "new")}) where ${of(key, "new")} is not null and ${isMoved(key)}`,
  );
  return [...forget(keys, "old"), ...moved];
}

function of(key: string, row: "old" | "new"): string {
  return key.replaceAll("row.", `${row}.`);
}
