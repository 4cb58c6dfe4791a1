/** Runs a program of the tests in network and mount namespaces of its own, which end with it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface NamespacesOptions {
  /**
   * True: the program also sees no process but its own, all of which end with it. It must then leave what other
   * tests have on this machine alone: it takes their processes for dead.
   */
  ownProcesses: boolean;
  /** Gets each line that the program prints. */
  onLine: (line: string) => void;
  /** Ends the program, and with `ownProcesses` all that it has started. */
  signal?: AbortSignal;
}

/** Resolves with the exit code. */
export async function runInNamespaces(
  argv: readonly string[],
  { ownProcesses, onLine, signal }: NamespacesOptions,
): Promise<number> {
  const processes = ownProcesses ? ["--pid", "--fork", "--kill-child", "--mount-proc"] : [];
  const apart = ["--net", "--mount", ...processes];
  // The program is no test of the runner's: what the runner tells its own files is not for it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...apart, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  signal?.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? -1;
}
