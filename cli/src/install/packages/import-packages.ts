/**
 * Takes sets of Debian packages, which lie beside the unpacked folder, to where central finds them for hosts:
 * each under its hash, with a link that is named after the system that it is for.
 */

import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  packageSetFile,
  packageSetHash,
  packageSetLink,
  packageSets,
  type PackageSet,
} from "@tijolo/protocol";
import type { Messages } from "../../messages.ts";
import { linkTo } from "../file-steps.ts";
import { hashOf } from "../hash-of.ts";
import { centralFiles } from "../places.ts";
import { treeRoot } from "../release-tree.ts";
import { succeeds } from "../run-program.ts";
import { inParts, type Undo } from "../steps.ts";

/** A set is 60 to 80 MB; four of this size are the most that the store holds. */
const maxBytes = 1024 ** 3;

/** Returns the sets that lie in `from`. */
export async function findPackageSets(from = dirname(treeRoot)): Promise<PackageSet[]> {
  const names = await readdir(from).catch((): string[] => []);
  return packageSets.filter((set) => names.includes(packageSetFile(set)));
}

/**
 * Takes these sets; null when all of them are there already. One that was replaced stays until the next time,
 * so that a host that is just being installed gets what its script names, and this can be taken back.
 */
export async function importPackages(
  sets: readonly PackageSet[],
  { install: texts }: Pick<Messages, "install">,
  { from = dirname(treeRoot), store = centralFiles.packages }: { from?: string; store?: string } = {},
): Promise<Undo | null> {
  await mkdir(store, { recursive: true, mode: 0o755 });
  await removeUnused(store);
  return inParts(async (note) => {
    for (const set of sets) {
      const source = join(from, packageSetFile(set));
      const name = `${await hashOf(source)}.tar.gz`;
      if ((await stat(join(store, name)).catch(() => null)) === null) {
        if (!(await isWhole(source, set))) throw new Error(texts.packagesDamaged(source));
        const draft = join(store, `${packageSetLink(set)}.new`);
        await copyFile(source, draft);
        await chmod(draft, 0o644);
        await rename(draft, join(store, name));
      }
      note(await linkTo(join(store, packageSetLink(set)), name));
    }
  });
}

/** Returns true for a set of the system that its name says, with every byte that was packed. */
async function isWhole(source: string, { suite }: PackageSet): Promise<boolean> {
  if ((await stat(source)).size > maxBytes || !(await succeeds(["gzip", "--test", source]))) return false;
  return succeeds(["tar", "-xzOf", source, `${suite}/Packages`]);
}

async function removeUnused(store: string): Promise<void> {
  const used = new Set<string>();
  for (const set of packageSets) used.add(await readlink(join(store, packageSetLink(set))).catch(() => ""));
  for (const name of await readdir(store)) {
    const isLeftover = name.endsWith(".new") || packageSetHash(name) !== undefined;
    if (isLeftover && !used.has(name)) await rm(join(store, name), { force: true });
  }
}
