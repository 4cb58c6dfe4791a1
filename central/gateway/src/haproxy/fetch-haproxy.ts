/** Fetches a tree with Debian 13's HAProxy, and renews it where the archive has newer packages. */

import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../exec.ts";

const suite = "trixie";
const simulationTimeoutMs = 5 * 60_000;
const fetchTimeoutMs = 10 * 60_000;
/** File in a tree with the packages that it was made of, a line each. */
const packagesFile = "packages";

const machines: Partial<Record<NodeJS.Architecture, { libraries: string; loader: string }>> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

/** Returns the tree in a directory of trees that were fetched, which may be missing. */
export function fetchedTree(toolsDirectory: string): string {
  return join(toolsDirectory, `haproxy-${suite}`);
}

/**
 * Returns what to put before the arguments of the tree's HAProxy, which its own dynamic loader runs; undefined on
 * machines that Tijolo has no names for.
 */
export function fetchedProgram(toolsDirectory: string): string[] | undefined {
  const machine = machines[process.arch];
  if (machine === undefined) return undefined;
  const tree = fetchedTree(toolsDirectory);
  const libraries = join(tree, machine.libraries);
  return [join(libraries, machine.loader), "--library-path", libraries, join(tree, "usr/sbin/haproxy")];
}

/** Makes the tree under another name first, so that it is whole wherever it is. */
export async function fetchHaproxy(toolsDirectory: string): Promise<void> {
  await makeTree(toolsDirectory, await packagesInArchive());
}

/**
 * Makes the tree anew where the archive has newer packages of HAProxy or of its libraries. Resolves with whether it
 * did; a gateway sees that at its next look and has the new one serve. Throws with the old tree as it was where
 * the archive is not reached.
 */
export async function renewHaproxy(toolsDirectory: string): Promise<boolean> {
  const tree = fetchedTree(toolsDirectory);
  const packages = await packagesInArchive();
  const held = await readFile(join(tree, packagesFile), "utf8").catch(() => "");
  if (held === packages) return false;
  await makeTree(toolsDirectory, packages);
  return true;
}

/** Returns the packages that a tree would be made of now, as `name version`, a line each. */
async function packagesInArchive(): Promise<string> {
  const argv = ["mmdebstrap", "--simulate", "--verbose", "--variant=extract", "--include=haproxy"];
  const { code, output } = await run([...argv, suite, "/dev/null"], { timeoutMs: simulationTimeoutMs });
  const packages = [...output.matchAll(/^Inst (\S+) \((\S+)/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  if (code === 0 && packages.some((each) => each.startsWith("haproxy ")))
    return packages.toSorted().join("\n");
  throw new Error(`Debian's archive does not say which HAProxy it has: ${output.trim().slice(-500)}`);
}

async function makeTree(toolsDirectory: string, packages: string): Promise<void> {
  const tree = fetchedTree(toolsDirectory);
  const partial = `${tree}.${process.pid}.partial`;
  await mkdir(toolsDirectory, { recursive: true });
  await rm(partial, { recursive: true, force: true });
  try {
    const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory", "--include=haproxy"];
    const { code, output } = await run([...argv, suite, partial], { timeoutMs: fetchTimeoutMs });
    if (code !== 0) throw new Error(`HAProxy could not be fetched from Debian: ${output.trim().slice(-500)}`);
    for (const path of ["var", "usr/share", "dev"])
      await rm(join(partial, path), { recursive: true, force: true });
    await writeFile(join(partial, packagesFile), packages);
    await takePlace(partial, tree);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Puts the new tree in the place of the one before, if there is one, which comes back when that fails. */
async function takePlace(partial: string, tree: string): Promise<void> {
  const old = oldTree(tree);
  if (await isThere(tree)) {
    await rm(old, { recursive: true, force: true });
    await rename(tree, old);
  }
  try {
    await rename(partial, tree).catch(async (error: unknown) => {
      if (!(await isThere(tree))) throw error; // another gateway was faster, with the same packages
    });
  } finally {
    await recoverTree(tree);
    await rm(old, { recursive: true, force: true });
  }
}

/** Takes the tree back whose successor was not in its place when this machine, or a renewal, was ended. */
export async function recoverTree(tree: string): Promise<void> {
  if (!(await isThere(tree)) && (await isThere(oldTree(tree)))) await rename(oldTree(tree), tree);
}

function oldTree(tree: string): string {
  return `${tree}.old`;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
