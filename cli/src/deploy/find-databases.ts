/** Finds files of an upload that look like databases, which a program writes while it runs. */

import type { SelectedFile } from "../archive/select-files.ts";

/** Endings of SQLite's files and journals, LMDB's and Access's, and the name of Redis's dump. */
const databaseName = /(?:\.(?:db|db3|sqlite|sqlite3|mdb)(?:-wal|-shm|-journal)?|(?:^|\/)dump\.rdb)$/i;
const sqliteStart = "SQLite format 3\0";
/** The smallest page of SQLite: each of its files is a multiple of it. */
const sqlitePageBytes = 512;

type ReadStart = (file: SelectedFile, bytes: number) => Promise<Uint8Array>;

/**
 * Resolves with the names of the files that look like databases, by name or, for SQLite, by their contents.
 */
export async function findDatabases(files: readonly SelectedFile[], readStart: ReadStart): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    if (databaseName.test(file.name) || (await isSqlite(file, readStart))) names.push(file.name);
  }
  return names;
}

async function isSqlite(file: SelectedFile, readStart: ReadStart): Promise<boolean> {
  if (file.sizeBytes === 0 || file.sizeBytes % sqlitePageBytes !== 0) return false;
  try {
    const start = await readStart(file, sqliteStart.length);
    return Buffer.from(start).toString("latin1") === sqliteStart;
  } catch {
    return false; // the upload says what cannot be read
  }
}
