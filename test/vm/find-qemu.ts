/**
 * Finds a QEMU that computes `cmpxchg16b` right, which HAProxy and the kernel use and Debian 12's does not: the
 * machine's own from 10 on, otherwise a tree of Debian 13's packages, which is fetched once.
 */

import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../agent/src/host/exec.ts";

const program = "qemu-system-x86_64";
const oldest = 10;
const suite = "trixie";
const packages = ["qemu-system-x86", "qemu-system-data", "seabios"];
const fetchTimeoutMs = 300_000;

/** Resolves with the command that stands before QEMU's arguments. `directory` gets the tree. */
export async function findQemu(directory: string, say: (line: string) => void): Promise<string[]> {
  if ((await majorOf([program])) >= oldest) return [program];
  const tree = join(directory, `qemu-${suite}`);
  if ((await stat(tree).catch(() => null)) === null) {
    say(`fetching QEMU of Debian ${suite}`);
    await fetchTree(directory, tree);
  }
  const argv = argvOf(tree);
  if ((await majorOf(argv)) >= oldest) return argv;
  throw new Error(`The QEMU in ${tree} does not run. Remove the directory: the next run fetches it anew.`);
}

/** It is run through its own loader, and told where its parts and its firmware are. */
function argvOf(tree: string): string[] {
  const libraries = join(tree, "usr/lib/x86_64-linux-gnu");
  const firmware = ["qemu", "seabios"].flatMap((name) => ["-L", join(tree, "usr/share", name)]);
  const loader = [join(libraries, "ld-linux-x86-64.so.2"), "--library-path", libraries];
  return [
    "env",
    `QEMU_MODULE_DIR=${join(libraries, "qemu")}`,
    ...loader,
    join(tree, "usr/bin", program),
    ...firmware,
  ];
}

async function majorOf(argv: readonly string[]): Promise<number> {
  const shown = await exec([...argv, "--version"]).catch(() => ({ stdout: "" }));
  return Number(/version (\d+)\./.exec(shown.stdout)?.[1] ?? 0);
}

async function fetchTree(directory: string, tree: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draft = await mkdtemp(join(directory, "fetching-"));
  try {
    const root = join(draft, "root");
    const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory"];
    await exec([...argv, `--include=${packages.join(",")}`, suite, root], { timeoutMs: fetchTimeoutMs });
    for (const name of ["var", "usr/share/doc", "dev"])
      await rm(join(root, name), { recursive: true, force: true });
    await rename(root, tree);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
