/** Gives central's data to the user that central runs as. */

import { constants } from "node:fs";
import { chmod, lchown, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { centralFiles, centralUser, places } from "../places.ts";
import { runProgram } from "../run-program.ts";
import type { Undo } from "../steps.ts";

const directoryItself = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Errors for an entry that went, or was replaced, since it was listed. */
const goneCodes: readonly unknown[] = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Gives central's data to its user, and lets that user pass the directory above it. */
export async function giveData(): Promise<Undo | null> {
  const ids = (await runProgram(["getent", "passwd", centralUser])).stdout.split(":").slice(2, 4).map(Number);
  const [uid = 0, gid = 0] = ids;
  if (uid === 0) throw new Error(`getent passwd ${centralUser}`);
  await mkdir(centralFiles.data, { recursive: true, mode: 0o700 });
  const above = await stat(places.data);
  const before = await stat(centralFiles.data);
  const isAsItIsToBe = (above.mode & 0o777) === 0o711 && before.uid === uid;
  await chmod(places.data, 0o711);
  const changed = await giveTo(centralFiles.data, uid, gid);
  if (isAsItIsToBe && changed === 0) return null;
  return async () => {
    await chmod(places.data, above.mode & 0o777);
    await giveTo(centralFiles.data, before.uid, before.gid);
  };
}

/**
 * Changes the owner of an entry and of all below it. Resolves with how many it changed. Central's user may replace
 * entries meanwhile, and a running central removes some: no link is followed, and what is gone is passed over.
 */
export async function giveTo(path: string, uid: number, gid: number): Promise<number> {
  try {
    return await giveEntry(path, uid, gid);
  } catch (error) {
    if (error instanceof Error && "code" in error && goneCodes.includes(error.code)) return 0;
    throw error;
  }
}

async function giveEntry(path: string, uid: number, gid: number): Promise<number> {
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) return 0;
  let changed = 0;
  if (entry.uid !== uid || entry.gid !== gid) {
    await lchown(path, uid, gid);
    changed++;
  }
  if (!entry.isDirectory()) return changed;
  await using directory = await open(path, directoryItself);
  // This path stays the opened directory, also when another one takes its name.
  const opened = `/proc/self/fd/${directory.fd}`;
  for (const name of await readdir(opened)) changed += await giveTo(join(opened, name), uid, gid);
  return changed;
}
