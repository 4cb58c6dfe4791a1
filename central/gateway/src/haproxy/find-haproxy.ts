/**
 * Finds a HAProxy from version 3.0 on: the machine's own, otherwise a tree of Debian 13's packages that is
 * fetched once and run through its own dynamic loader.
 */

import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MachineNews } from "@tijolo/protocol";
import { run } from "../exec.ts";

const suite = "trixie";
const oldest = [3, 0] as const;
const missing = `HAProxy ${oldest.join(".")} or newer is not in PATH. Debian 13 has it: apt-get install haproxy.`;
const fetchTimeoutMs = 10 * 60_000;

const machines: Partial<Record<NodeJS.Architecture, { libraries: string; loader: string }>> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

export interface FindOptions {
  /** Directory of trees that were fetched. */
  toolsDirectory: string;
  /** False: only one that is in PATH, or was fetched before, is taken. Default: true. */
  mayFetch?: boolean;
  /** Called when one is fetched, which takes seconds. */
  onFetch?: () => void;
}

/** Thrown where the machine has none and none can be fetched. */
export class HaproxyMissingError extends Error {
  override name = "HaproxyMissingError";
  readonly news: MachineNews;

  /** `canFetch`: root and mmdebstrap would fetch one. */
  constructor({ canFetch }: { canFetch: boolean }) {
    super(canFetch ? `${missing} Or run as root with mmdebstrap, which fetches it.` : missing);
    this.news = { code: "haproxy_missing", canFetch };
  }
}

/**
 * Returns what to put before HAProxy's arguments. Throws {@link HaproxyMissingError} where the machine has
 * none and none can be fetched: that takes root and mmdebstrap.
 */
export async function findHaproxy({
  toolsDirectory,
  mayFetch = true,
  onFetch,
}: FindOptions): Promise<string[]> {
  if (await isNewEnough(["haproxy"])) return ["haproxy"];
  const tree = join(toolsDirectory, `haproxy-${suite}`);
  const fetched = argvOf(tree);
  if (fetched === undefined) throw new HaproxyMissingError({ canFetch: false });
  if (!(await isThere(join(tree, "usr/sbin/haproxy")))) {
    if (!mayFetch) throw new HaproxyMissingError({ canFetch: false });
    if (
      process.getuid?.() !== 0 ||
      (await run(["mmdebstrap", "--version"], { timeoutMs: 10_000 })).code !== 0
    )
      throw new HaproxyMissingError({ canFetch: true });
    onFetch?.();
    await fetchTree(toolsDirectory, tree);
  }
  if (await isNewEnough(fetched)) return fetched;
  throw new Error(
    `The HAProxy in ${tree} does not run. Remove the directory: the next start fetches it anew.`,
  );
}

async function isNewEnough(argv: readonly string[]): Promise<boolean> {
  const { output } = await run([...argv, "-v"], { timeoutMs: 60_000 });
  const [, major, minor] = /HAProxy version (\d+)\.(\d+)/.exec(output) ?? [];
  const [number, least] = [Number(major) * 1_000 + Number(minor), oldest[0] * 1_000 + oldest[1]];
  return number >= least;
}

function argvOf(tree: string): string[] | undefined {
  const machine = machines[process.arch];
  if (machine === undefined) return undefined;
  const libraries = join(tree, machine.libraries);
  return [join(libraries, machine.loader), "--library-path", libraries, join(tree, "usr/sbin/haproxy")];
}

/** Makes the tree under another name first, so that it is whole wherever it is. */
async function fetchTree(toolsDirectory: string, tree: string): Promise<void> {
  await mkdir(toolsDirectory, { recursive: true });
  const partial = `${tree}.${process.pid}.partial`;
  await rm(partial, { recursive: true, force: true });
  try {
    const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory", "--include=haproxy"];
    const { code, output } = await run([...argv, suite, partial], { timeoutMs: fetchTimeoutMs });
    if (code !== 0) throw new Error(`HAProxy could not be fetched from Debian: ${output.trim().slice(-500)}`);
    for (const path of ["var", "usr/share", "dev"])
      await rm(join(partial, path), { recursive: true, force: true });
    await rename(partial, tree).catch(async (error: unknown) => {
      if (!(await isThere(tree))) throw error; // another gateway was faster, with the same packages
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
