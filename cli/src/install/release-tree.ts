/**
 * Knows the unpacked release that the installer runs from: finds damage in it, copies it to /opt, and makes it the one
 * in use.
 */

import { access, constants, cp, mkdir, readFile, readlink, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { compareVersions } from "@tijolo/protocol";
import { tijoloVersion } from "@tijolo/protocol/kit";
import { places } from "./places.ts";
import { linkTo, replaceDirectory } from "./file-steps.ts";
import { hashOf } from "./hash-of.ts";
import { filesList, shapeList } from "./release-lists.ts";
import type { Undo } from "./steps.ts";

/** Root of the release, or of the sources. */
export const treeRoot = join(import.meta.dirname, "..", "..", "..");

/** Returns the first file or link that is missing or is not what the release's lists say; null when all are right. */
export async function findDamage(tree: string): Promise<string | null> {
  const list = await readFile(join(tree, filesList), "utf8").catch(() => "");
  const lines = list.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return filesList;
  for (const line of lines) {
    const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (hash === undefined || path === undefined) return filesList;
    if ((await hashOf(join(tree, path)).catch(() => null)) !== hash) return path;
  }
  return findMisshapen(tree);
}

/**
 * Returns the first link that leads elsewhere, or program that cannot be run; null when all are right, or the release
 * has no list of them.
 */
async function findMisshapen(tree: string): Promise<string | null> {
  const list = await readFile(join(tree, shapeList), "utf8").catch(() => "");
  for (const line of list.split("\n")) {
    const [, kind, path = "", target] = /^([lx]) (\S+)(?: (\S+))?$/.exec(line) ?? [];
    const file = join(tree, path);
    if (kind === "l" && (await readlink(file).catch(() => null)) !== target) return path;
    if (kind === "x" && !(await isProgram(file))) return path;
  }
  return null;
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Copies the release to its place, unless a whole copy is there. A damaged one is replaced. */
export async function placeTree(): Promise<Undo | null> {
  const target = join(places.releases, tijoloVersion());
  if (treeRoot === target) return null;
  if ((await findDamage(target)) === null && (await sameList(target))) return null;
  await mkdir(places.releases, { recursive: true, mode: 0o755 });
  const draft = `${target}.new`;
  await rm(draft, { recursive: true, force: true });
  try {
    await cp(treeRoot, draft, { recursive: true, verbatimSymlinks: true, mode: 0 });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return replaceDirectory(draft, target);
}

/** Lets `place` lead to this release. */
export function useTree(place: string): Promise<Undo | null> {
  return linkTo(place, join(places.releases, tijoloVersion()));
}

/** Returns the version that is in use, when it is a newer one than this. */
export async function findNewer(place: string): Promise<string | null> {
  const used = await readlink(place).catch(() => null);
  if (used === null) return null;
  const version = basename(used);
  return compareVersions(version, tijoloVersion()) > 0 ? version : null;
}

async function sameList(target: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [treeRoot, target].map((tree) => readFile(join(tree, filesList), "utf8").catch(() => "")),
  );
  return one === other;
}
