/**
 * Fetches packages of Debian 13 into a directory of their own, whose programs run through its own dynamic
 * loader: nothing on the machine changes. A host that central's packages were installed on has these beside the
 * trees, and asks no mirror.
 */

import { createHash } from "node:crypto";
import { access, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { toolsArchive, toolsSuite, type MachineNews } from "@tijolo/protocol";
import type { Logger } from "pino";
import { exec } from "../exec.ts";
import { flushFileSystem } from "../files/flush.ts";
import { isOwnerAlive, ownerMark } from "../files/owner-mark.ts";
import { removeTree } from "../files/trees.ts";
import { endWithAgent } from "./build-namespaces.ts";

const machines: Record<string, { libraries: string; loader: string }> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

/** Returns the tree of these packages; fetches it unless it exists, which takes some seconds. */
export async function debianTree(
  directory: string,
  packages: readonly string[],
  onFetch: () => void,
): Promise<string> {
  const tree = join(directory, digest([toolsSuite, process.arch, ...packages]));
  await once(tree, (target) => {
    onFetch();
    return fetchTree(target, packages, join(directory, toolsArchive));
  });
  return tree;
}

/** Returns what to put before the arguments of a program of the tree, whose path there is given. */
export function treeArgv(tree: string, program: string): string[] {
  const { libraries, loader } = machine();
  const path = join(tree, libraries);
  return [join(path, loader), "--library-path", path, join(tree, program)];
}

/** Returns where this machine's libraries lie in a tree, and the name of its dynamic loader. */
export function machine(): { libraries: string; loader: string } {
  const found = machines[process.arch];
  if (found === undefined) throw new Error(`machines of type ${process.arch} are not supported`);
  return found;
}

/**
 * Makes `directory` under another name first, so that it is complete wherever it exists, also after a power
 * cut.
 */
export async function once(directory: string, make: (target: string) => Promise<void>): Promise<void> {
  if (await isThere(directory)) return;
  const partial = `${directory}.${ownerMark(process.pid)}.partial`;
  await make(partial);
  await flushFileSystem(partial);
  try {
    await rename(partial, directory);
  } catch (error) {
    // Another process that shares the place was faster; what it made is the same.
    await removeTree(partial);
    if (!(await isThere(directory))) throw error;
  }
}

/**
 * Removes the partial trees of processes that no longer run; what cannot be removed is reported, and tried
 * again at the next start.
 */
export async function removePartials(directory: string, onProblem: (text: string) => void): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, owner] = /\.(\d+-\d+)\.partial$/.exec(name) ?? [];
    if (owner === undefined || isOwnerAlive(owner)) continue;
    await removeTree(join(directory, name)).catch((error: Error) =>
      onProblem(`A leftover could not be removed yet: ${error.message}`),
    );
  }
}

/** Names in the log of what the agent fetches from Debian. */
const fetched = { nginx: "nginx", system_tools: "system tools", wireguard: "WireGuard" };

export function sayFetching(logger: Pick<Logger, "info">, what: keyof typeof fetched): void {
  const news: MachineNews = { code: "fetching", what };
  logger.info({ news }, `Fetching ${fetched[what]} from Debian`);
}

export function digest(parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}

async function fetchTree(target: string, packages: readonly string[], archive: string): Promise<void> {
  const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory"];
  const source = (await isThere(archive)) ? [`deb [trusted=yes] copy:${encodeURI(archive)} ./`] : [];
  const last = [`--include=${packages.join(",")}`, toolsSuite, target, ...source];
  await exec([...endWithAgent, ...argv, ...last], { timeoutMs: 300_000 });
  await rm(join(target, "usr/share"), { recursive: true, force: true });
  await rm(join(target, "var"), { recursive: true, force: true });
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
