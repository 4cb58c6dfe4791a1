/** One of the programs that `npm start` keeps: started, waited for, started again when it dies, and stopped. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { LogTail, type LogRecord } from "./log-tail.ts";

export interface ServiceOptions {
  name: string;
  /** The program's file. */
  entry: string;
  nodeFlags: readonly string[];
  environment: Record<string, string>;
  logFile: string;
  /** Each line that the program writes. */
  onRecord: (record: LogRecord) => void;
  /** The program ended without being asked to; `willReturn` says that it is started again. */
  onEnd: (how: string, willReturn: boolean) => void;
}

const keptRecords = 200;
const returnPauseMs = 1_000;
/** So many ends within so long a time are no accident. */
const maxReturns = 5;
const returnWindowMs = 60_000;

/** The program ended, or did not say what it should in time. */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** The last lines of its log. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[]) {
    super(message);
    this.lines = lines;
  }
}

export class Service implements Disposable {
  readonly name: string;
  readonly logFile: string;
  readonly #options: ServiceOptions;
  readonly #tail: LogTail;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #hasServed = false;
  #records: LogRecord[] = [];
  #ends: number[] = [];

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.name = options.name;
    this.logFile = options.logFile;
    this.#tail = new LogTail(options.logFile, (record) => {
      if (record.message === `${this.name} serves`) this.#hasServed = true;
      this.#records.push(record);
      if (this.#records.length > keptRecords) this.#records.shift();
      options.onRecord(record);
    });
  }

  /** In a session of its own, so that Ctrl-C reaches `npm start` only; and it is told to end when `npm start` is killed. */
  start(): void {
    const [file, ...args] = [...diesTogether(), process.execPath, ...this.#options.nodeFlags, this.#options.entry];
    const child = spawn(file, args, {
      env: this.#options.environment,
      stdio: ["ignore", this.#tail.fileDescriptor, this.#tail.fileDescriptor],
      detached: true,
    });
    this.#child = child;
    child.once("error", (error) => this.#ended(child, error.message));
    child.once("exit", (code, signal) => this.#ended(child, signal ?? `code ${code}`));
  }

  /** Resolves with the first line since the program's start that `isIt`; throws ServiceError when it ends before, or after `timeoutMs`. */
  async waitForRecord(isIt: (record: LogRecord) => boolean, timeoutMs: number): Promise<LogRecord> {
    const endsAt = Date.now() + timeoutMs;
    for (;;) {
      this.#tail.read();
      const record = this.#records.find(isIt);
      if (record !== undefined) return record;
      if (this.#child === null) throw new ServiceError(`${this.name} ended (${this.logFile})`, []); // what it said is shown already
      if (Date.now() > endsAt)
        throw new ServiceError(`${this.name} was not ready after ${timeoutMs / 1000} s (${this.logFile})`, this.#lastLines());
      await delay(50);
    }
  }

  /** Resolves with how it ended: by itself after being asked, or killed after `graceMs`. */
  async stop(graceMs: number): Promise<"clean" | "killed" | "was not running"> {
    this.#isStopping = true;
    const child = this.#child;
    if (child === null || child.pid === undefined) return "was not running";
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const isClean = await Promise.race([ended.then(() => true), delay(graceMs, false, { ref: false })]);
    if (isClean) return "clean";
    child.kill("SIGKILL");
    await ended;
    return "killed";
  }

  /** For when waiting is over. */
  kill(): void {
    this.#isStopping = true;
    this.#child?.kill("SIGKILL");
  }

  [Symbol.dispose](): void {
    this.#tail[Symbol.dispose]();
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#tail.read();
    if (this.#isStopping) return;
    const now = Date.now();
    this.#ends = [...this.#ends.filter((at) => now - at < returnWindowMs), now];
    // A program that never came up would not the next time either.
    const willReturn = this.#ends.length <= maxReturns && this.#hasServed;
    this.#options.onEnd(how, willReturn);
    if (!willReturn) return;
    setTimeout(() => {
      if (!this.#isStopping) this.start();
    }, returnPauseMs);
  }

  #lastLines(): string[] {
    return this.#records.slice(-12).map(({ message, fields }) => [message, errorText(fields["err"])].filter(Boolean).join(": "));
  }
}

/** Elsewhere than on Linux a program stays when `npm start` is killed, and keeps its port until it is ended by hand. */
function diesTogether(): string[] {
  return process.platform === "linux" ? ["setpriv", "--pdeathsig", "TERM"] : [];
}

/** The message of an error that pino wrote. */
export function errorText(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
