/**
 * One program at a time on a data directory: a lock of the kernel on a file in it, which ends with the
 * program, however that ends.
 */

import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { poll } from "./poll.ts";

export interface DataLockOptions {
  /** Called once, when another has the lock. */
  onWait: () => void;
  /** Default 45 s: a program that was told to end may have something under way. */
  patienceMs?: number;
}

const defaultPatienceMs = 45_000;
const lookEveryMs = 100;
/** `SQLITE_BUSY` (https://www.sqlite.org/rescode.html#busy). */
const busy = 5;

/**
 * To be taken before anything in the directory is changed. No child of the program has it. Rejects when
 * another still has it at the end of the patience. Nothing else may open the file: whoever closes any
 * descriptor of it ends the locks of its program (fcntl(2)).
 */
export async function takeDataLock(
  path: string,
  { onWait, patienceMs = defaultPatienceMs }: DataLockOptions,
): Promise<Disposable> {
  // For nobody else: to lock it takes no more than to read it.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const free = tryLock(path);
  if (free !== undefined) return free;
  onWait();
  const freed = await poll(() => tryLock(path), { timeoutMs: patienceMs, everyMs: lookEveryMs });
  if (freed !== undefined) return freed;
  throw new Error(
    `Another program works on this data directory, and has not ended after ${patienceMs / 1000} s: it holds ${path}.`,
  );
}

/** SQLite's lock, as Node has no other; nothing is ever written to the file. */
function tryLock(path: string): Disposable | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("BEGIN EXCLUSIVE");
    return { [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}
