/** Opens central's database file and brings it to the newest schema. */

import { open, type FileHandle } from "node:fs/promises";
import type { Logger } from "pino";
import { Checkpoints } from "./checkpoints.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations.ts";
import { openSqlite, Statements } from "./open-sqlite.ts";
import { SqliteDatabase } from "./database.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** SQLite's name for a database without a file. */
const inMemory = ":memory:";

export interface OpenedDatabase extends AsyncDisposable {
  db: SqliteDatabase;
}

export interface DatabaseOptions {
  logger?: Pick<Logger, "error">;
  /**
   * Called when the disk did not take what was committed. Nothing more is written, and nothing must be
   * closed: what this process holds in memory may be missing from the disk.
   */
  onDiskFailure?: (cause: unknown) => void;
}

/** Opens the database. What was acknowledged survives a crash of the operating system. */
export async function openDatabase(
  path: string,
  { logger = console, onDiskFailure }: DatabaseOptions = {},
): Promise<OpenedDatabase> {
  const sqlite = openSqlite(path);
  let files: { file: FileHandle; log: WriteAheadLog; checkpoints: Checkpoints } | null = null;
  const flush = async () => {
    try {
      await files?.log.flush();
    } catch (cause) {
      onDiskFailure?.(cause);
      throw cause;
    }
    files?.checkpoints.noteCommit();
  };
  const db = new SqliteDatabase(new Statements(sqlite), flush);
  await migrate(db, migrations);
  // Whatever became of the log that the last process left, it is in the file now, and a new one begins.
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  if (path !== inMemory) {
    const between = (work: () => Promise<void>) => db.commits.between(work);
    const file = await open(path, "r+");
    const syncFile = () => file.datasync();
    files = {
      file,
      log: await WriteAheadLog.open(path),
      checkpoints: new Checkpoints(sqlite, { between, syncFile, logger }),
    };
  }
  db.cacheRowsOf(sqlite);
  return {
    db,
    async [Symbol.asyncDispose]() {
      await files?.checkpoints[Symbol.asyncDispose]();
      await db.destroy();
      await files?.log.close();
      // Not before SQLite is done with it: to close any descriptor of a file drops the process's locks on it
      // (fcntl(2)).
      await files?.file.close();
    },
  };
}
