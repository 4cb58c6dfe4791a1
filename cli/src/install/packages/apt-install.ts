/** Installs Debian packages by apt; what came with them goes again when the installation is taken back. */

import { runProgram } from "../run-program.ts";
import type { Undo } from "../steps.ts";

const timeoutMs = 15 * 60_000;
export const apt = ["apt-get", "--quiet", "--yes", "-o", "DPkg::Lock::Timeout=120"] as const;

/**
 * Runs `apt-get install` with these options and names. Before anything is changed, `note` is given what removes the
 * packages that are new by it, dependencies too: also those of an installation that breaks off.
 */
export async function aptInstall(words: readonly string[], note: (undo: Undo) => void): Promise<void> {
  const argv = [...apt, "install", ...words] as const;
  const { stdout } = await runProgram([...argv, "--simulate"], { timeoutMs });
  note(() => removePresent(newcomersIn(stdout)));
  await runProgram(argv, { timeoutMs });
}

/**
 * Returns the packages that a simulated installation names as new, by its lines `Inst <name> (<version> …)`; those
 * that are only upgraded have their old version before that.
 */
export function newcomersIn(simulated: string): string[] {
  return [...simulated.matchAll(/^Inst (\S+) \(/gm)].map(([, name = ""]) => name);
}

async function removePresent(packages: readonly string[]): Promise<void> {
  const arePresent = await Promise.all(packages.map(isPresent));
  const present = packages.filter((_, index) => arePresent[index]);
  if (present.length === 0) return;
  // Debian protects e2fsprogs, without which this machine was before.
  await runProgram([...apt, "remove", "--allow-remove-essential", ...present], { timeoutMs });
}

/** True also for one that is not whole; what has only settings left needs no removal. */
async function isPresent(name: string): Promise<boolean> {
  const argv = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}", name] as const;
  const { code, stdout } = await runProgram(argv, { okCodes: [0, 1] }); // 1: it knows none of that name
  return code === 0 && stdout !== "not-installed" && stdout !== "config-files";
}
