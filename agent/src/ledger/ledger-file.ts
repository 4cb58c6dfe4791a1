/** Opens the ledger's SQLite file: durable settings, a check for damage, migrations. */

import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import SQLite from "better-sqlite3";
import { migrations, type LedgerMigrations } from "./migrations.ts";

/** Thrown when the file cannot be used; the message says what an operator can do. */
export class LedgerError extends Error {
  override name = "LedgerError";
}

export function openLedgerFile(path: string, steps = migrations): SQLite.Database {
  let file: SQLite.Database | undefined;
  try {
    keepPrivate(path);
    file = new SQLite(path, { timeout: 5_000 });
    file.pragma("journal_mode = WAL");
    file.pragma("synchronous = FULL");
    file.pragma("wal_autocheckpoint = 500");
    file.pragma("secure_delete = ON");
    checkIntegrity(file, path);
    migrate(file, path, steps);
    return file;
  } catch (cause) {
    file?.close();
    if (cause instanceof LedgerError) throw cause;
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/**
 * Makes the file private, because it holds the projects' variables. SQLite gives the files beside it the mode
 * of the first.
 */
function keepPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const each of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(each)) chmodSync(each, 0o600);
}

function checkIntegrity(file: SQLite.Database, path: string): void {
  const findings = file.pragma("quick_check", { simple: true });
  if (findings !== "ok") throw damaged(path, String(findings));
}

function migrate(
  file: SQLite.Database,
  path: string,
  { firstVersion, steps, fromVersionBelow }: LedgerMigrations,
): void {
  const version = Number(file.pragma("user_version", { simple: true }));
  const newest = firstVersion + steps.length - 1;
  if (version > newest) {
    throw new LedgerError(
      `The ledger ${path} was written by a newer agent (version ${version}, this one knows ${newest}). Start the newer agent.`,
    );
  }
  if (version > 0 && version < firstVersion - 1) {
    throw new LedgerError(
      `The ledger ${path} was written by an agent from before the first release (version ${version}, this one continues from ${firstVersion - 1}). ${joinAnew}`,
    );
  }
  const step = file.transaction((sql: string, number: number) => {
    file.exec(sql);
    file.pragma(`user_version = ${number}`);
  });
  for (const [index, sql] of steps.entries()) {
    const number = firstVersion + index;
    if (number > version) step(version === firstVersion - 1 && index === 0 ? fromVersionBelow : sql, number);
  }
}

const joinAnew =
  "Move the file and its -wal and -shm aside, leave identity.pem and all else where it is, and start the agent again with another token of `tijolo cluster host add`: it joins as the host that it was, central tells it what should run, and projects go on with their files.";

function damaged(path: string, finding: string, cause?: unknown): LedgerError {
  return new LedgerError(`The ledger ${path} cannot be read (${finding}). ${joinAnew}`, { cause });
}
