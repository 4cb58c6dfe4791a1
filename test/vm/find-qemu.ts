/**
 * Finds a QEMU that computes `cmpxchg16b` right, which HAProxy and the kernel use and Debian 12's does not: the
 * machine's own from 10 on, otherwise a tree of Debian 13's packages, which is fetched once.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { toolsSuite } from "@tijolo/protocol";
import { machine, once, treeArgv } from "../../agent/src/host/checks/debian-tree.ts";
import { exec } from "../../agent/src/host/exec.ts";

const program = "qemu-system-x86_64";
const oldest = 10;
const packages = ["qemu-system-x86", "qemu-system-data", "seabios"];
const fetchTimeoutMs = 300_000;

/** Resolves with the command that stands before QEMU's arguments. `directory` gets the tree. */
export async function findQemu(directory: string, say: (line: string) => void): Promise<string[]> {
  if ((await majorOf([program])) >= oldest) return [program];
  const tree = join(directory, `qemu-${toolsSuite}`);
  await once(tree, async (target) => {
    say(`fetching QEMU of Debian ${toolsSuite}`);
    await fetchTree(target);
  });
  const argv = argvOf(tree);
  if ((await majorOf(argv)) >= oldest) return argv;
  throw new Error(`The QEMU in ${tree} does not run. Remove the directory: the next run fetches it anew.`);
}

/** Returns the command that runs it by its own loader, and tells it where its parts and its firmware are. */
function argvOf(tree: string): string[] {
  const modules = join(tree, machine().libraries, "qemu");
  const firmware = ["qemu", "seabios"].flatMap((name) => ["-L", join(tree, "usr/share", name)]);
  return ["env", `QEMU_MODULE_DIR=${modules}`, ...treeArgv(tree, `usr/bin/${program}`), ...firmware];
}

async function majorOf(argv: readonly string[]): Promise<number> {
  const shown = await exec([...argv, "--version"]).catch(() => ({ stdout: "" }));
  return Number(/version (\d+)\./.exec(shown.stdout)?.[1] ?? 0);
}

/** An agent's tools have nothing of `usr/share`, where the firmware is. */
async function fetchTree(target: string): Promise<void> {
  const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory"];
  await exec([...argv, `--include=${packages.join(",")}`, toolsSuite, target], { timeoutMs: fetchTimeoutMs });
  for (const name of ["var", "usr/share/doc", "dev"])
    await rm(join(target, name), { recursive: true, force: true });
}
