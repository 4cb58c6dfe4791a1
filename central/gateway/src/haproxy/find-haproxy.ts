/**
 * Finds a HAProxy from version 3.0 on: the machine's own, otherwise a tree of Debian 13's packages that is
 * fetched once and run through its own dynamic loader.
 */

import { access } from "node:fs/promises";
import { join } from "node:path";
import type { MachineNews } from "@tijolo/protocol";
import { run } from "../exec.ts";
import { fetchedProgram, fetchedTree, fetchHaproxy, recoverTree, renewHaproxy } from "./fetch-haproxy.ts";

const oldest = [3, 0] as const;
const missing = `HAProxy ${oldest.join(".")} or newer is not in PATH. Debian 13 has it: apt-get install haproxy.`;

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
  const tree = fetchedTree(toolsDirectory);
  await recoverTree(tree);
  const fetched = fetchedProgram(toolsDirectory);
  if (fetched === undefined) throw new HaproxyMissingError({ canFetch: false });
  if (!(await isThere(join(tree, "usr/sbin/haproxy")))) {
    if (!mayFetch) throw new HaproxyMissingError({ canFetch: false });
    if (
      process.getuid?.() !== 0 ||
      (await run(["mmdebstrap", "--version"], { timeoutMs: 10_000 })).code !== 0
    )
      throw new HaproxyMissingError({ canFetch: true });
    onFetch?.();
    await fetchHaproxy(toolsDirectory);
  }
  if (await isNewEnough(fetched)) return fetched;
  throw new Error(
    `The HAProxy in ${tree} does not run. Remove the directory: the next start fetches it anew.`,
  );
}

/**
 * Makes the tree that was fetched anew where the archive has newer packages. Resolves with whether it did, with false
 * where no tree was fetched, or the machine has a HAProxy of its own by now.
 */
export async function renewFetched({
  toolsDirectory,
}: Pick<FindOptions, "toolsDirectory">): Promise<boolean> {
  if (!(await isThere(fetchedTree(toolsDirectory))) || (await isNewEnough(["haproxy"]))) return false;
  return renewHaproxy(toolsDirectory);
}

async function isNewEnough(argv: readonly string[]): Promise<boolean> {
  const { output } = await run([...argv, "-v"], { timeoutMs: 60_000 });
  const [, major, minor] = /HAProxy version (\d+)\.(\d+)/.exec(output) ?? [];
  const [number, least] = [Number(major) * 1_000 + Number(minor), oldest[0] * 1_000 + oldest[1]];
  return number >= least;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
