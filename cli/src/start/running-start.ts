/** Lets one `npm start` at a time use a data directory. */

import { takeDataLock } from "@tijolo/protocol/kit";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Takes the place. Resolves with a function that gives it back, or with the pid of the holder, null where
 * that is unknown.
 */
export async function takePlace(
  dataDirectory: string,
): Promise<{ place: AsyncDisposable } | { pid: number | null }> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const pidFile = join(dataDirectory, "start.pid");
  const lock = await tryLock(join(dataDirectory, "start.lock"));
  if (lock === null) return { pid: await readPid(pidFile) };
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 }).catch(() => {}); // a full disk; it is for a message only
  return {
    place: {
      async [Symbol.asyncDispose]() {
        await rm(pidFile, { force: true });
        lock[Symbol.dispose]();
      },
    },
  };
}

async function tryLock(path: string): Promise<Disposable | null> {
  let isTaken = false;
  try {
    return await takeDataLock(path, { onWait: () => (isTaken = true), patienceMs: 0 });
  } catch (cause) {
    if (isTaken) return null;
    throw cause;
  }
}

async function readPid(file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  return Number.isNaN(pid) ? null : pid;
}
