/** Writes files, links and directories in steps: each appears whole, and can be taken back. */

import { lstat, mkdir, open, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { inParts, type Undo } from "./steps.ts";

export interface WrittenFile {
  path: string;
  text: string;
  mode?: number;
}

/** Writes the file. Resolves with null when it is as it is to be. */
export async function writeWhole({ path, text, mode = 0o644 }: WrittenFile): Promise<Undo | null> {
  const before = await readFile(path, "utf8").catch(() => null);
  const modeBefore = before === null ? mode : (await lstat(path)).mode & 0o777;
  if (before === text && modeBefore === mode) return null;
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await replaceFile(path, text, mode);
  return async () => {
    if (before === null) await rm(path, { force: true });
    else await replaceFile(path, before, modeBefore);
  };
}

/** Writes several files. */
export function writeAll(files: readonly WrittenFile[]): Promise<Undo | null> {
  return inParts(async (note) => {
    for (const file of files) note(await writeWhole(file));
  });
}

/** Makes `path` a link to `target`. Throws where something else than a link stands there. */
export async function linkTo(path: string, target: string): Promise<Undo | null> {
  const before = await readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (before === target) return null;
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await replaceLink(path, target);
  return () => (before === null ? rm(path, { force: true }) : replaceLink(path, before));
}

/**
 * Gives the finished directory `draft` the name `target`. What stood there lies beside it as `target.old`, for the
 * undo, until the next time.
 */
export async function replaceDirectory(draft: string, target: string): Promise<Undo> {
  const old = `${target}.old`;
  await rm(old, { recursive: true, force: true });
  const hadOne = await rename(target, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  await rename(draft, target);
  return async () => {
    await rm(target, { recursive: true, force: true });
    if (hadOne) await rename(old, target);
  };
}

async function replaceLink(path: string, target: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await symlink(target, draft);
  await rename(draft, path);
}

async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  {
    await using file = await open(draft, "wx", mode);
    await file.writeFile(text);
    await file.chmod(mode);
    await file.sync();
  }
  await rename(draft, path);
}
