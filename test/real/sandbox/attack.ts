/** Runs one attack, the same program outside, where it must work, and inside a container. */

import { spawnSync } from "node:child_process";
import type { StartRequest } from "../../../agent/src/runtime/runtime.ts";
import type { ContainerHost, RunResult } from "../support/host/container-host.ts";

export const errors = {
  EPERM: 1,
  ENOENT: 2,
  EACCES: 13,
  EAGAIN: 11,
  ENOSPC: 28,
  EROFS: 30,
  ENOSYS: 38,
  EAFNOSUPPORT: 97,
};

/**
 * Returns the lines that a Perl program prints when the host's root runs it, in a throw-away mount namespace
 * and a session without a terminal.
 */
export function perlOnHost(program: string, args: readonly string[] = []): string[] {
  const { stdout, stderr, status } = spawnSync("setsid", ["--wait", "unshare", "-m", "perl", "-", ...args], {
    input: program,
    encoding: "utf8",
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`on the host the program ended with ${status}: ${stdout}${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

/** Runs the same program as a project. */
export async function perlInside(
  host: ContainerHost,
  program: string,
  { args = [], ...overrides }: Partial<StartRequest> & { args?: readonly string[] } = {},
): Promise<RunResult> {
  await host.writeCode("attack.pl", program, overrides.projectId);
  return host.run(["exec perl attack.pl", ...args].join(" "), overrides);
}

/** Parses `name errno` lines into a map. */
export function outcomes(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line): [string, string] => [
      line.slice(0, line.lastIndexOf(" ")),
      line.slice(line.lastIndexOf(" ") + 1),
    ]),
  );
}
