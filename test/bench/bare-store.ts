/** Writes to SQLite what the bare server needs for a PATCH, as durably as central does. */

import { fdatasync, openSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";

export interface StoreOptions {
  /** A new file. */
  path: string;
  /**
   * Central's database: the PATCH does to a copy of it what central's does, and no more. Null: it writes one
   * row of two columns.
   */
  copyOf: string | null;
  /**
   * True to commit together the PATCHes that come in one turn of the event loop, wait for the disk beside the
   * thread, and never copy from the log: the least that it can cost.
   */
  isGrouped: boolean;
}

interface Change {
  id: string;
  text: string;
}

const require = createRequire(join(import.meta.dirname, "../../central/package.json"));

/** Resolves once it is on the disk. */
export function openStore({ path, copyOf, isGrouped }: StoreOptions): (change: Change) => Promise<void> {
  const Database = require("better-sqlite3") as typeof BetterSqlite3;
  if (copyOf !== null) new Database(copyOf, { readonly: true }).prepare("vacuum into ?").run(path);
  const sqlite = new Database(path);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma(isGrouped ? "synchronous = NORMAL" : "synchronous = FULL");
  const write = copyOf === null ? writeRow(sqlite) : writeChange(sqlite);
  if (!isGrouped) return async (change) => sqlite.transaction(write)(change);

  sqlite.pragma("wal_autocheckpoint = 0");
  sqlite.pragma("user_version = 1"); // the first write makes the log
  const log = openSync(`${path}-wal`, "r+");
  const writeAll = sqlite.transaction((changes: readonly Change[]) => changes.forEach(write));
  let waiting: (Change & { resolve: () => void })[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    writeAll(group);
    fdatasync(log, (error) => {
      if (error !== null) throw error;
      for (const { resolve } of group) resolve();
    });
  };
  return (change) =>
    new Promise((resolve) => {
      if (waiting.push({ ...change, resolve }) === 1) setImmediate(commit);
    });
}

function writeRow(sqlite: BetterSqlite3.Database): (change: Change) => void {
  sqlite.exec("create table description (id text primary key, text text)");
  const statement = sqlite.prepare("insert or replace into description (id, text) values (?, ?)");
  return ({ id, text }) => void statement.run(id, text);
}

/**
 * Writes the project with its placement, its account, its new description, and the entry of the account's
 * activity.
 */
function writeChange(sqlite: BetterSqlite3.Database): (change: Change) => void {
  const find = sqlite.prepare(
    "select * from project join placement on project_id = project.id left join project_variables using (project_id) where project.id = +?",
  );
  const findAccount = sqlite.prepare("select * from account where id = +?");
  const update = sqlite.prepare("update project set description = ?, updated_at = ? where id = +?");
  const note = sqlite.prepare(
    "insert into activity values (?, ?, ?, 'key', ?, 'bench', 'project.settings', ?, ?, '127.0.0.1', ?, ?)",
  );
  let number = 0;
  return ({ id, text }) => {
    const now = Date.now();
    const project = find.get(id) as { account_id: string; name: string; description: string };
    findAccount.get(project.account_id);
    update.run(text, now, id);
    const entry = `${now}-${String(++number).padStart(12, "0")}`;
    const [before, after] = [project.description, text].map((description) => JSON.stringify({ description }));
    note.run(entry, project.account_id, now, id, id, project.name, before, after);
  };
}
