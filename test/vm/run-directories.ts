/** Makes the directories of one run of the virtual machine; removed with it, even after a kill. */

import { mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunDirectories extends AsyncDisposable {
  /**
   * Directory on the repository's file system: the work disk, the throw-away part of the disks, the console
   * log.
   */
  files: string;
  /** A short path, for sockets. */
  sockets: string;
}

/** Makes the directories of this process and removes those of processes that are gone. */
export async function makeRunDirectories(cacheDirectory: string): Promise<RunDirectories> {
  await removeDead(cacheDirectory, /^run-(\d+)$/);
  await removeDead(tmpdir(), /^tijolo-vm-(\d+)$/);
  const files = join(cacheDirectory, `run-${process.pid}`);
  const sockets = join(tmpdir(), `tijolo-vm-${process.pid}`);
  await mkdir(files);
  await mkdir(sockets, { mode: 0o700 });
  return {
    files,
    sockets,
    async [Symbol.asyncDispose]() {
      await rm(files, { recursive: true, force: true });
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

async function removeDead(parent: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = pattern.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
