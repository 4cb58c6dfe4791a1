/** Opens the directory in which a program stores all its data: for the program's own user alone. */

import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Umask of central and agent: what they make is for their own user, what others read is opened explicitly.
 */
export const privateUmask = 0o077;
const othersRights = 0o077;

interface WarningLog {
  warn(fields: object, message: string): void;
}

/**
 * Makes the directory where it is missing, and removes the rights that others have from it and from each of
 * its entries: older programs gave them. An entry whose rights cannot be changed, as on a read-only mount, is
 * logged: nobody else reaches it through the directory.
 */
export async function openPrivateDirectory(path: string, logger: WarningLog): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await takeOthersRights(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data directory ${path} cannot be closed to other users of this machine: ${reason}`, {
      cause,
    });
  }
  for (const name of await readdir(path)) {
    const entry = join(path, name);
    await takeOthersRights(entry).catch((error: unknown) => {
      logger.warn(
        { err: error, path: entry },
        "an entry of the data directory keeps the rights that others have on it",
      );
    });
  }
}

/**
 * Takes away other users' rights. Skips a link, which leads to something that belongs to somebody else, and a
 * path that is gone.
 */
async function takeOthersRights(path: string): Promise<void> {
  const found = await lstat(path).catch(orIfGone);
  if (found === undefined || found.isSymbolicLink() || (found.mode & othersRights) === 0) return;
  await chmod(path, found.mode & 0o7777 & ~othersRights).catch(orIfGone);
}

function orIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
