/** Flushes SQLite's write-ahead log to the disk without blocking this thread. */

import { open, realpath, type FileHandle } from "node:fs/promises";

export class WriteAheadLog {
  readonly #file: Pick<FileHandle, "datasync" | "close">;
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(file: Pick<FileHandle, "datasync" | "close">) {
    this.#file = file;
  }

  /**
   * Opens the log of a database that is open in WAL with `synchronous = NORMAL`: SQLite itself syncs the log
   * before it copies from it, and the header of a log that begins anew. The file is the same for as long as
   * the database is open.
   */
  static async open(path: string): Promise<WriteAheadLog> {
    return new WriteAheadLog(await open(`${await realpath(path)}-wal`, "r+"));
  }

  /**
   * Resolves once all that is committed by now survives a crash of the operating system. One flush runs at a
   * time: callers meanwhile share the next. Once it has failed it always fails: what comes after a gap in the
   * log is not found again, though the disk took it.
   */
  flush(): Promise<void> {
    this.#next ??= this.#underWay.then(() => {
      this.#next = null;
      this.#underWay = this.#file.datasync();
      return this.#underWay;
    });
    return this.#next;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
