/** Proves on this kernel that the filter of containers is loaded and holds, before any project is taken. */

import { join } from "node:path";
import { HostNotFitError } from "./check-host.ts";
import { exec } from "../exec.ts";
import { probedCalls } from "../sandbox/seccomp.ts";

export interface CheckedTools {
  argv(name: string): string[];
  insideDirectory: string;
}

/**
 * Loads the very file that containers load, by the same program, into a process of root, for whom the kernel
 * itself would allow all of it. Takes some 30 ms. Throws {@link HostNotFitError} when one call does not end
 * as the filter says.
 */
export async function assertFilterHolds(tools: CheckedTools): Promise<void> {
  const calls = probedCalls(process.arch);
  const filter = join(tools.insideDirectory, "filter.bpf");
  const probe = [
    "perl",
    join(import.meta.dirname, "filter-probe.pl"),
    ...calls.map(({ name, number }) => `${name}:${number}`),
  ];
  const { stdout } = await exec([
    ...tools.argv("setpriv"),
    "--no-new-privs",
    "--seccomp-filter",
    filter,
    ...probe,
  ]).catch((cause: unknown) => {
    throw notHeld(`it could not be loaded (${String(cause)})`);
  });
  const expected = calls.map(({ name, errno }) => `${name} ${errno}`);
  const found = stdout.trim().split("\n");
  const wrong = expected.find((line, index) => line !== found[index]);
  if (wrong !== undefined) throw notHeld(`expected "${wrong}", found ${JSON.stringify(found)}`);
}

function notHeld(detail: string): HostNotFitError {
  return new HostNotFitError([
    {
      problem: `The system call filter of containers does not hold on this machine: ${detail}.`,
      howToFix:
        "Use a kernel of Debian 12 or newer with CONFIG_SECCOMP_FILTER; on a virtual machine whose kernel you cannot choose, use another one. Without the filter a project could make user namespaces.",
    },
  ]);
}
