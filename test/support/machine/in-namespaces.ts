/** Runs a program of the tests in network, mount and process namespaces of its own, which end with it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** The first process of the namespaces: it collects every process that ended, and ends with the program. */
const first = `my $program = fork // die; exec { $ARGV[0] } @ARGV unless $program;
  while ((my $ended = wait) != -1) { exit($? & 127 ? 1 : $? >> 8) if $ended == $program }`;

/** Resolves with the exit code; `onLine` gets each line that the program prints. */
export async function runInNamespaces(
  argv: readonly string[],
  onLine: (line: string) => void,
): Promise<number> {
  const apart = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  // The program is no test of the runner's: what the runner tells its own files is not for it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...apart, "perl", "-e", first, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? -1;
}
