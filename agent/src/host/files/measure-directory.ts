/** Measures how much room a directory takes on disk, whatever a hostile tenant has put into it. */

import { exec } from "../exec.ts";

const timeoutMs = 120_000;
/** Memory limit of the measuring, which remembers each hard link of a tree. */
const memoryBytes = 256 * 1024 * 1024;

/**
 * Returns the megabytes on disk; each file counts once, and no link is followed. It runs only when nothing
 * else wants processor or disk, and has a deadline: rejects for a tree that takes longer.
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

/** Uses only what POSIX has, for development on other systems. */
async function measurePlainly(path: string, signal: AbortSignal): Promise<number> {
  const { stdout } = await exec(["du", "-sk", path], { timeoutMs, signal, okCodes: [0, 1] });
  return Math.ceil(Number.parseInt(stdout, 10) / 1024);
}
