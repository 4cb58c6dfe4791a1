/**
 * Lets one program at a time use a data directory: by a lock of the kernel on a file in it, which ends with
 * the program, however that ends.
 */

import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { poll } from "../poll.ts";

export interface DataLockOptions {
  /** Called once, when another program has the lock. */
  onWait: () => void;
  /** Milliseconds to wait for the lock. Default: 45 s, as a program that ends may have work to finish. */
  patienceMs?: number;
}

const defaultPatienceMs = 45_000;
const lookEveryMs = 100;
/** Error code `SQLITE_BUSY` (https://www.sqlite.org/rescode.html#busy). */
const busy = 5;

/**
 * Takes the lock, which must be taken before anything in the directory is changed. No child of the program
 * has it. Rejects when another program still has it after `patienceMs`. Nothing else may open the file:
 * closing any descriptor of it ends the locks of its program (fcntl(2)).
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

/** Tries to take SQLite's lock, as Node has no other; nothing is ever written to the file. */
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
