/**
 * Finds out for `npm start` whether this machine has a HAProxy, which the gateway's program fetches if it may, and
 * renews one that was fetched: Debian's updates of the machine do not reach it.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { machineNews, type MachineNews } from "@tijolo/protocol";
import { diesTogether } from "./service.ts";

export interface HaproxyPreparation {
  root: string;
  environment: Record<string, string>;
  /** `present`: what is there is taken, and none is fetched. `renew`: only one that was fetched is looked at. */
  what: "present" | "fetch" | "renew";
  /** Returns the sentence of what the program reports. */
  textOf: (news: MachineNews) => string;
  /** Called with each sentence about what takes its time. */
  onProgress: (text: string) => void;
  signal: AbortSignal;
}

const options = { present: ["--no-fetch"], fetch: [], renew: ["--renew"] };

/** Resolves with null when there is one, and otherwise with the reason. */
export async function prepareHaproxy(preparation: HaproxyPreparation): Promise<string | null> {
  const { root, environment, what, textOf, onProgress, signal } = preparation;
  const entry = join(root, "central/gateway/src/prepare.ts");
  const [file = process.execPath, ...args] = [
    ...diesTogether(),
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    entry,
    ...options[what],
  ];
  const child = spawn(file, args, { env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  let missing: string | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const news = newsOf(line);
    if (news === undefined) return;
    if (news.code === "haproxy_missing") missing = textOf(news);
    else onProgress(textOf(news));
  });
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
  return code === 0 ? null : (missing ?? reason.trim());
}

/** Returns undefined for a line that is none of the program's own. */
function newsOf(line: string): MachineNews | undefined {
  try {
    return machineNews.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
