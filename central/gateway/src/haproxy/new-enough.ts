/** Tells whether a HAProxy is one that this gateway's configuration is written for. */

import { run } from "../exec.ts";

/** First version that is new enough. */
export const oldestVersion = [3, 0] as const;
const timeoutMs = 60_000;

/** `argv` is what stands before its arguments. False also where it does not run. */
export async function isNewEnough(argv: readonly string[]): Promise<boolean> {
  const { output } = await run([...argv, "-v"], { timeoutMs });
  const [, major, minor] = /HAProxy version (\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) * 1_000 + Number(minor) >= oldestVersion[0] * 1_000 + oldestVersion[1];
}
