/**
 * Simulates a person at the command line: runs the real commands in this process, in a folder of their own,
 * with what they type.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { Configuration, createContext, Output, runCommandLine, type MessageLanguage } from "@tijolo/cli";

export interface CommandRun {
  /** Exit code. */
  code: number;
  stdout: string;
  stderr: string;
  /** Questions that were asked, secret ones in brackets. */
  asked: string[];
}

export class CommandLine implements AsyncDisposable {
  readonly folder: string;
  readonly requests: Request[] = [];
  /** Function in place of a server; null for the real one. */
  answer: ((request: Request) => Response | Promise<Response>) | null = null;
  environment: Record<string, string> = {};
  /** Lines that will be typed, one per question. */
  typed: string[] = [];
  /** Text of stdin, for commands that read it to its end. */
  input = "";
  isInteractive = false;
  now: () => number = Date.now;
  /** Aborted when the person presses Ctrl-C. */
  interruption = new AbortController();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), "tijolo-cli-")));
  }

  /** Path of what `tijolo login` stores. */
  get configurationFile(): string {
    return join(this.folder, "config", "config.json");
  }

  async run(words: readonly string[], language: MessageLanguage = "pt"): Promise<CommandRun> {
    const written = { stdout: "", stderr: "" };
    const asked: string[] = [];
    const stream = (name: "stdout" | "stderr") =>
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += String(chunk);
          done();
        },
      });
    const context = await createContext({
      language,
      output: new Output(
        { stdout: stream("stdout"), stderr: stream("stderr") },
        { isJson: words.includes("--json") },
      ),
      environment: this.environment,
      configuration: new Configuration(this.configurationFile),
      workingDirectory: this.folder,
      signal: this.interruption.signal,
      fetch: async (url, init) => {
        const request = new Request(url, init);
        this.requests.push(request);
        return await (this.answer ?? fetch)(request);
      },
      clock: { now: () => this.now() },
      random: () => 0,
      ask: async (question, options) => {
        asked.push(options?.isSecret === true ? `[${question}]` : question);
        return this.typed.shift() ?? null;
      },
      readInput: async () => this.input,
      isInteractive: this.isInteractive,
      openBrowser: async () => false,
    });
    return { code: await runCommandLine(words, context), ...written, asked };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
