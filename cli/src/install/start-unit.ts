/** Starts a service of systemd, also at each boot. */

import { runProgram } from "./run-program.ts";

/** Resolves once the service has told systemd that it serves. Throws with the last lines of its log. */
export async function startUnit(unit: string, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  await runProgram(["systemctl", "enable", "--quiet", unit]);
  try {
    await runProgram(["systemctl", "restart", unit], { timeoutMs });
  } catch (cause) {
    throw new Error(await lastLines(unit), { cause });
  }
}

/** Returns the last lines of the service's log. */
export async function lastLines(unit: string, lines = 8): Promise<string> {
  const shown = ["--lines", String(lines), "--no-pager", "--output", "cat"];
  const { stdout } = await runProgram(["journalctl", "--unit", unit, ...shown]);
  return stdout.trim();
}
