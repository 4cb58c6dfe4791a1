/**
 * Finds a HAProxy from version 3.0 on: the machine's own, otherwise a tree of Debian 13's packages, which is fetched
 * where there is none.
 */

import { oldestHaproxy, type MachineNews } from "@tijolo/protocol";
import { run } from "../exec.ts";
import { fetchedProgram, fetchHaproxy, hasFetched } from "./fetch-haproxy.ts";
import { isNewEnough } from "./new-enough.ts";

const missing = `HAProxy ${oldestHaproxy} or newer is not in PATH. Debian 13 has it: apt-get install haproxy.`;

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
  const fetched = fetchedProgram(toolsDirectory);
  if (fetched === undefined) throw new HaproxyMissingError({ canFetch: false });
  if (!hasFetched(toolsDirectory)) {
    if (!mayFetch) throw new HaproxyMissingError({ canFetch: false });
    const isRoot = process.getuid?.() === 0;
    if (!isRoot || (await run(["mmdebstrap", "--version"], { timeoutMs: 10_000 })).code !== 0)
      throw new HaproxyMissingError({ canFetch: true });
    onFetch?.();
    await fetchHaproxy(toolsDirectory);
  }
  if (await isNewEnough(fetched)) return fetched;
  throw new Error(
    `The HAProxy in ${toolsDirectory} does not run. Remove that directory to have it fetched anew.`,
  );
}

/**
 * Fetches anew what was fetched, where the archive has newer packages. Resolves with false where it has none, where
 * nothing was fetched, or where the machine has a HAProxy of its own by now.
 */
export async function renewFetched({
  toolsDirectory,
}: Pick<FindOptions, "toolsDirectory">): Promise<boolean> {
  if (!hasFetched(toolsDirectory) || (await isNewEnough(["haproxy"]))) return false;
  return fetchHaproxy(toolsDirectory);
}
