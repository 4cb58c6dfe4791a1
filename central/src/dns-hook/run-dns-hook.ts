/**
 * Runs the operator's DNS hook: the one program that central starts. It is called as lego calls its own,
 * `<hook> present|cleanup <fqdn> <value>`, with an argument list and never through a shell.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { onOneLine } from "../app/certificates/on-one-line.ts";
import type { RunDnsHook } from "../app/certificates/orders/name-proofs.ts";
import { OrderError } from "../app/certificates/orders/order-error.ts";

const defaultMs = 60_000;
/** Milliseconds in which the output of a hook is read that has ended: what it started may hold it open. */
const readOutMs = 500;
const maxOutput = 4_096;
const maxShown = 300;

export interface DnsHookOptions {
  /** Path of the program. */
  path: string;
  /** Central's environment; the hook gets it without central's own settings. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which the hook, with all that it started, is killed. */
  timeoutMs?: number;
}

export function dnsHook({ path, environment, timeoutMs = defaultMs }: DnsHookOptions): RunDnsHook {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("TIJOLO_")));
  return async (action, { fqdn, value }) => {
    const child = spawn(path, [action, fqdn, value], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: what the hook starts is killed with it.
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (output = (output + chunk).slice(-maxOutput)));
    }
    const failure = await endOf(child, timeoutMs);
    killGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    if (failure === null) return;
    const printed = lastLine(output);
    const words = printed === "" ? failure : `${failure}: ${printed}`;
    throw new OrderError("hook_failed", `the DNS hook (${action}) ${words}`);
  };
}

/** Resolves with why the hook failed; null when it did not. */
async function endOf(child: ChildProcess, timeoutMs: number): Promise<string | null> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const closed = once(child, "close").catch(() => {});
    const [code, signal] = (await once(child, "exit", { signal: deadline })) as [
      number | null,
      string | null,
    ];
    await Promise.race([closed, delay(readOutMs)]);
    return code === 0 ? null : `ended with ${code ?? signal ?? "?"}`;
  } catch (error) {
    if (deadline.aborted) return `did not end within ${timeoutMs / 1000} s`;
    return `cannot be started (${error instanceof Error ? error.message : String(error)})`;
  }
}

function lastLine(output: string): string {
  const lines = output.split(/[\r\n]+/).map((line) => onOneLine(line.slice(-maxShown)));
  return lines.findLast((line) => line !== "") ?? "";
}

/** Ends what the hook left behind; there is nothing left of most. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
