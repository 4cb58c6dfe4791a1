/** How much room a directory takes on disk, whatever a hostile tenant has put into it. */

import { exec } from "../exec.ts";

const timeoutMs = 120_000;
/** A tree of many hard links makes the measuring remember each of them. */
const memoryBytes = 256 * 1024 * 1024;

/**
 * Megabytes on disk, each file once, no link followed. It runs when nothing else wants processor or disk, and
 * has a deadline: rejects for a tree that takes longer.
 */
export async function measureDirectory(path: string, signal: AbortSignal): Promise<number> {
  if (process.platform !== "linux") return measurePlainly(path, signal);
  const idly = ["nice", "-n", "19", "ionice", "-c", "3", "prlimit", `--as=${memoryBytes}`];
  // 1: a file went away meanwhile; the sum is there all the same.
  const { stdout } = await exec(
    [...idly, "du", "--summarize", "--no-dereference", "--block-size=1M", "--", path],
    {
      timeoutMs,
      endsWithAgent: true,
      signal,
      okCodes: [0, 1],
    },
  );
  const megabytes = /^\d+(?=\t)/.exec(stdout);
  if (megabytes === null) throw new Error(`no size of ${path}`);
  return Number(megabytes[0]);
}

/** As POSIX has it, for development on other systems. */
async function measurePlainly(path: string, signal: AbortSignal): Promise<number> {
  const { stdout } = await exec(["du", "-sk", path], { timeoutMs, signal, okCodes: [0, 1] });
  return Math.ceil(Number.parseInt(stdout, 10) / 1024);
}
