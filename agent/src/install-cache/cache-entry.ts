/**
 * Stores one cached install on disk: `<entry>/{layer,manifest.json,unflushed}`; the manifest's time is when
 * the layer was last requested. `unflushed` names the boot in which the copy was made, until the disk has it:
 * after a power cut before that, the entry may be torn.
 */

import { randomBytes } from "node:crypto";
import { readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeTree } from "../host/files/trees.ts";

export const manifestFile = "manifest.json";
export const unflushedFile = "unflushed";

const manifestSchema = z.object({ sizeBytes: z.number() });

/** Returns the entry; undefined when there is none, or it may be torn. Throws when that cannot be told. */
export async function findWhole(
  entry: string,
  bootId: string,
): Promise<{ sizeBytes: number; askedForAtMs: number } | undefined> {
  const path = join(entry, manifestFile);
  const [madeIn, text, facts] = await Promise.all([
    madeInBoot(entry),
    readOrMissing(path),
    stat(path).catch(throwUnlessMissing),
  ]);
  if (text === undefined || facts === undefined || (madeIn !== undefined && madeIn !== bootId))
    return undefined;
  const manifest = manifestSchema.safeParse(parseOrNull(text));
  return manifest.success ? { sizeBytes: manifest.data.sizeBytes, askedForAtMs: facts.mtimeMs } : undefined;
}

/** Returns the boot in which the copy was made; undefined once it is on the disk. */
export function madeInBoot(entry: string): Promise<string | undefined> {
  return readOrMissing(join(entry, unflushedFile));
}

/**
 * Renames the directory before it removes it, so that nobody finds it half removed. Does nothing when there
 * is no such directory.
 */
export async function discard(directory: string): Promise<void> {
  const removed = join(directory, "..", `.removed-${randomBytes(8).toString("hex")}`);
  const isThere = await rename(directory, removed).then(() => true, throwUnlessMissing);
  if (isThere === true) await removeTree(removed);
}

function readOrMissing(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(throwUnlessMissing);
}

function throwUnlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
