/**
 * Programs inside a project's network, as its container would run them: with its resolv.conf, on the files of
 * this machine.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ProjectNetwork } from "../../../../agent/src/network/network.ts";

const timeoutMs = 60_000;

/** Puts the project's resolv.conf in the place of the machine's, in a mount namespace of its own. */
const script = 'mount --bind "$1" "$(readlink -f /etc/resolv.conf)" && shift && exec "$@"';

export interface Ended {
  code: number | null;
  stdout: string;
}

export class InNetwork {
  readonly #directory: string;
  readonly #children = new Set<ChildProcess>();
  #files = 0;

  /** `directory` is for resolv.conf files. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs a command to its end. */
  async run(project: ProjectNetwork, argv: readonly string[]): Promise<Ended> {
    const child = this.start(project, argv);
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on("line", (line) => lines.push(line));
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    return { code, stdout: lines.join("\n") };
  }

  /** Runs a Node script and answers with what it printed. */
  async node(project: ProjectNetwork, source: string): Promise<string> {
    return (await this.run(project, [process.execPath, "-e", source])).stdout;
  }

  start(
    project: ProjectNetwork,
    argv: readonly string[],
  ): ChildProcess & { stdout: NodeJS.ReadableStream; stdin: NodeJS.WritableStream } {
    const file = join(this.#directory, `resolv-${this.#files++}.conf`);
    writeFileSync(file, project.resolvConf);
    const enter = [`--net=${project.namespacePath}`, "unshare", "--mount", "--propagation", "slave"];
    const child = spawn("nsenter", [...enter, "sh", "-c", script, "sh", file, ...argv], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#children.add(child);
    child.once("close", () => this.#children.delete(child));
    return child;
  }

  /** Starts a Node script; resolves with it and its first line. */
  async serve(
    project: ProjectNetwork,
    source: string,
  ): Promise<ChildProcess & { stdout: NodeJS.ReadableStream; stdin: NodeJS.WritableStream }> {
    const child = this.start(project, [process.execPath, "-e", source]);
    await new Promise((resolve, reject) => {
      child.stdout.once("data", resolve);
      child.once("close", (code) => reject(new Error(`it ended with ${code}`)));
    });
    return child;
  }

  async close(): Promise<void> {
    const ended = [...this.#children].map((child) => new Promise((resolve) => child.once("close", resolve)));
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(ended);
  }
}
