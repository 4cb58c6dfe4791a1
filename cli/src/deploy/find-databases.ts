/** Finds files of an upload that look like databases, which a program writes while it runs. */

import { open } from "node:fs/promises";
import type { SelectedFile } from "../archive/select-files.ts";

/** Endings of SQLite's files and journals, LMDB's and Access's, and the name of Redis's dump. */
const databaseName = /(?:\.(?:db|db3|sqlite|sqlite3|mdb)(?:-wal|-shm|-journal)?|(?:^|\/)dump\.rdb)$/i;
const sqliteStart = "SQLite format 3\0";
/** The smallest page of SQLite: each of its files is a multiple of it. */
const sqlitePageBytes = 512;

/** Resolves with the names of the files that look like databases, by name or, for SQLite, by their contents. */
export async function findDatabases(files: readonly SelectedFile[]): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    if (databaseName.test(file.name) || (await isSqlite(file))) names.push(file.name);
  }
  return names;
}

async function isSqlite({ path, sizeBytes }: SelectedFile): Promise<boolean> {
  if (sizeBytes === 0 || sizeBytes % sqlitePageBytes !== 0) return false;
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sqliteStart.length), 0, sqliteStart.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === sqliteStart;
  } catch {
    return false; // the upload says what cannot be read
  }
}
