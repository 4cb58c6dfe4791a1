/** Installs programs that are only there to compare with, from Debian's archive. */

import { spawnSync } from "node:child_process";
import type { BenchContext } from "./bench.ts";

/** True when the program is there now; installed if it was missing. `ask`: with what it ends well at once. */
export function hasTool(
  program: string,
  debianPackage: string,
  { say, ask = "--version" }: Pick<BenchContext, "say"> & { ask?: string },
): boolean {
  if (isThere(program, ask)) return true;
  say(`installing ${debianPackage} to compare with`);
  spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", debianPackage], { stdio: "ignore" });
  if (isThere(program, ask)) return true;
  say(`${debianPackage} cannot be installed; the comparison is left out`);
  return false;
}

function isThere(program: string, ask: string): boolean {
  return spawnSync(program, [ask], { stdio: "ignore" }).status === 0;
}
