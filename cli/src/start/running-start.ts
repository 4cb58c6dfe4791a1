/** One `npm start` at a time for a data directory. */

import { takeDataLock } from "@tijolo/protocol/kit";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Resolves with what gives the place back; or else with the pid of the one that has it, null where it has not
 * told it.
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
