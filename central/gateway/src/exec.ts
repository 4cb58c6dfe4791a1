/** Starts processes, and is the only place of the gateway that does: argv arrays, never a shell string. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";

/** Environment of what is started: none of this program's settings and secrets. */
const environment = {
  PATH: process.env["PATH"] ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  HOME: "/root",
};
const maxOutputCharacters = 64 * 1024;

/**
 * Runs `argv` to its end, with `variables` beside the usual ones. Resolves with its code, which is -1 where it cannot
 * run, and with the end of what it printed.
 */
export async function run(
  argv: readonly string[],
  { timeoutMs, variables = {} }: { timeoutMs: number; variables?: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const [file = "", ...args] = argv;
  const child = spawn(file, args, {
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Not spawn's own `timeout`: its timer goes on, and holds this process, where the program cannot be started.
  const deadline = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-maxOutputCharacters);
    });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code: code ?? -1, output };
  } catch (error) {
    return { code: -1, output: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Starts a program that outlives this one, in a session of its own; what it prints goes to the file. Resolves
 * with its pid.
 */
export async function startApart(argv: readonly string[], logFile: string): Promise<number> {
  const [file = "", ...args] = argv;
  await using log = await open(logFile, "w", 0o600);
  const child = spawn(file, args, {
    env: environment,
    cwd: "/",
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  if (child.pid === undefined) await once(child, "spawn"); // rejects with the reason
  child.unref();
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return child.pid;
}
