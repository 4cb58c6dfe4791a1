/** Central or an agent as a process of its own, as an operator runs it; its log goes to a file. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { nodeFlags } from "../../../../cli/src/start/node-flags.ts";
import { until } from "../../../support/until.ts";

const repository = join(import.meta.dirname, "../../../..");
/** An agent starts a resolver and tries its filter first; the emulated machine is some fifty times slower. */
const serveTimeoutMs = process.env.TIJOLO_VM === undefined ? 120_000 : 400_000;
const folders = { central: "central", agent: "agent", gateway: "central/gateway" };
const stopTimeoutMs = 30_000;

export interface ProgramOptions {
  name: "central" | "agent" | "gateway";
  /** The `TIJOLO_…` settings. */
  settings: Record<string, string>;
  logFile: string;
  /** Folder of an unpacked release whose program and Node are run. Default: the sources, by this Node. */
  release?: string;
  /** What to put before its arguments, as to run it on another machine. Default: nothing. */
  within?: readonly string[];
}

export class Program {
  readonly #options: ProgramOptions;
  #process: ChildProcess | null = null;
  /** Offset where the log of this start begins. */
  #logOffset = 0;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves once it serves. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    await this.launch(settings);
    await this.serves();
  }

  /**
   * Resolves at once, so that it can be killed before it serves. `settings` are beside those of the options.
   */
  async launch(settings: Record<string, string> = {}): Promise<void> {
    if (this.#process !== null) throw new Error(`${this.#options.name} runs already`);
    const { name, logFile, release, within = [] } = this.#options;
    const node = release === undefined ? process.execPath : join(release, "bin/node");
    const main =
      release === undefined
        ? join(repository, folders[name], "src/main.ts")
        : join(release, folders[name], "src/main.js");
    const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith("TIJOLO_"));
    const log = openSync(logFile, "a");
    this.#logOffset = (await stat(logFile)).size;
    const [file = node, ...args] = [...within, node, ...nodeFlags[name], main];
    const child = spawn(file, args, {
      env: { ...Object.fromEntries(inherited), ...this.#options.settings, ...settings },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#process = child;
    const killWithParent = () => child.kill("SIGKILL");
    process.once("exit", killWithParent);
    child.once("exit", () => process.off("exit", killWithParent));
  }

  async serves(): Promise<void> {
    const { name, logFile } = this.#options;
    await until(
      async () => {
        const text = (await readFile(logFile)).subarray(this.#logOffset).toString();
        if (text.includes(`"msg":"${name} serves"`)) return true;
        if (this.#process === null || hasEnded(this.#process))
          throw new ProgramEndedError(`${name} ended:\n${text.slice(-4000)}`);
        return false;
      },
      { timeoutMs: serveTimeoutMs, everyMs: 20, isFinal: (error) => error instanceof ProgramEndedError },
    );
  }

  /** Sends SIGKILL. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Ends the program as Ctrl-C does. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  log(): Promise<string> {
    return readFile(this.#options.logFile, "utf8");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || hasEnded(child)) return;
    const ended = once(child, "exit", { signal: AbortSignal.timeout(stopTimeoutMs) });
    child.kill(signal);
    await ended;
  }
}

class ProgramEndedError extends Error {
  override name = "ProgramEndedError";
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
