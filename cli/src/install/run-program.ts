/** Runs the system's own programs for the installer: argv arrays, a deadline, their words in the error. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

const environment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  DEBIAN_FRONTEND: "noninteractive",
};
const defaultTimeoutMs = 120_000;

/** Runs it to its end. Throws, with the last of what it wrote, unless it ends with one of `okCodes`. */
export async function runProgram(
  argv: readonly [string, ...string[]],
  {
    okCodes = [0],
    timeoutMs = defaultTimeoutMs,
    cwd,
  }: { okCodes?: readonly number[]; timeoutMs?: number; cwd?: string | undefined } = {},
): Promise<ProgramResult> {
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    env: environment,
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  if (code !== null && okCodes.includes(code)) return { code, stdout, stderr };
  const words = (stderr.trim() || stdout.trim()).slice(-2000);
  throw new Error(
    `${argv.slice(0, 3).join(" ")}: ${signal ?? `code ${code}`}${words === "" ? "" : `\n${words}`}`,
  );
}

/** Resolves with true when the program ends with code 0. */
export async function succeeds(argv: readonly [string, ...string[]]): Promise<boolean> {
  return runProgram(argv).then(
    () => true,
    () => false,
  );
}
