/** Starts a service of systemd, also at each boot. */

import { readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { runProgram, succeeds } from "./run-program.ts";

/** Resolves once the service has told systemd that it serves. Throws with the last lines of its log. */
export async function startUnit(unit: string, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  await enableUnits([unit]);
  try {
    await runProgram(["systemctl", "restart", unit], { timeoutMs });
  } catch (cause) {
    throw new Error(await lastLines(unit), { cause });
  }
}

/**
 * Returns what a running service runs in place of what is installed: another release, where an installation was
 * interrupted before the service was started anew. Null where it runs the programs of the tree, or does not run.
 */
export async function findOtherProgram(unit: string, tree: string): Promise<string | null> {
  const { stdout } = await runProgram(["systemctl", "show", "--property=MainPID,NeedDaemonReload", unit]);
  if (/^NeedDaemonReload=yes$/m.test(stdout)) return "systemctl daemon-reload";
  const pid = /^MainPID=([1-9]\d*)$/m.exec(stdout)?.[1];
  if (pid === undefined) return null;
  const running = await readlink(`/proc/${pid}/exe`).catch(() => null); // only root may read it
  return running === null || running === (await realpath(join(tree, "bin/node"))) ? null : running;
}

/** Has the machine's next start begin these units, too. Resolves with false where that is so already. */
export async function enableUnits(units: readonly string[]): Promise<boolean> {
  const areEnabled = await Promise.all(
    units.map((unit) => succeeds(["systemctl", "is-enabled", "--quiet", unit])),
  );
  const missing = units.filter((_, index) => areEnabled[index] === false);
  if (missing.length > 0) await runProgram(["systemctl", "enable", "--quiet", ...missing]);
  return missing.length > 0;
}

/** Returns the last lines of the service's log. */
export async function lastLines(unit: string, lines = 8): Promise<string> {
  const shown = ["--lines", String(lines), "--no-pager", "--output", "cat"];
  const { stdout } = await runProgram(["journalctl", "--unit", unit, ...shown]);
  return stdout.trim();
}
