/** Finds out for `npm start` whether this machine has a HAProxy, which the gateway's program fetches if it may. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { diesTogether } from "./service.ts";

export interface HaproxyPreparation {
  root: string;
  environment: Record<string, string>;
  /** False to take what is there, and fetch none. */
  mayFetch: boolean;
  /** Called with each line about what takes its time. */
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

/** Resolves with null when there is one, and otherwise with the reason. */
export async function prepareHaproxy(preparation: HaproxyPreparation): Promise<string | null> {
  const { root, environment, mayFetch, onProgress, signal } = preparation;
  const entry = join(root, "central/gateway/src/prepare.ts");
  const [file = process.execPath, ...args] = [
    ...diesTogether(),
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    entry,
    ...(mayFetch ? [] : ["--no-fetch"]),
  ];
  const child = spawn(file, args, { env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  createInterface({ input: child.stdout }).on("line", onProgress);
  let reason = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (reason += text));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      reason = error.message;
      resolve(null);
    });
    child.once("close", resolve);
  });
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  return code === 0 ? null : reason.trim();
}
