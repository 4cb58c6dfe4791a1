/** Tells whether a HAProxy is one that this gateway's configuration is written for. */

import { compareVersions, oldestHaproxy } from "@tijolo/protocol";
import { run } from "../exec.ts";

const timeoutMs = 60_000;

/** `argv` is what stands before its arguments. False also where it does not run. */
export async function isNewEnough(argv: readonly string[]): Promise<boolean> {
  const { output } = await run([...argv, "-v"], { timeoutMs });
  const [, version] = /HAProxy version (\d+\.\d+)/.exec(output) ?? [];
  return version !== undefined && compareVersions(version, oldestHaproxy) >= 0;
}
