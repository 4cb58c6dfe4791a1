/**
 * Supervises one of the programs of `npm start`: it is started, waited for, started again as often as it
 * dies, and stopped.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { backOffMs, noJitter } from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit/poll";
import { LogTail, type LogRecord } from "./log-tail.ts";

export interface ServiceOptions {
  name: string;
  /** Path of the program's file. */
  entry: string;
  nodeFlags: readonly string[];
  environment: Record<string, string>;
  logFile: string;
  /** Called with each line that the program writes. */
  onRecord: (record: LogRecord) => void;
  /**
   * Called when the program ended without being asked to, or could not be started again; `returnsInMs` is
   * null when it does not return, as it never served.
   */
  onEnd: (how: string, returnsInMs: number | null) => void;
  returnPauses?: ReturnPauses;
}

/** Pauses before a program that ended is started again, doubled each time until it has served for a while. */
export interface ReturnPauses {
  firstMs: number;
  longestMs: number;
  /** Milliseconds of service after which the count of ends begins anew. */
  steadyMs: number;
}

const defaultPauses: ReturnPauses = { firstMs: 1_000, longestMs: 60_000, steadyMs: 60_000 };
const keptRecords = 200;

/** Thrown when the program ended, or did not report readiness in time. */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** Last lines of its log. */
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
  /** Start of serving by the monotonic clock; null until this run serves. */
  #servesSinceMs: number | null = null;
  #records: LogRecord[] = [];
  readonly #pauses: ReturnPauses;
  /** Number of ends since it last served for long enough. */
  #failures = 0;
  #return: NodeJS.Timeout | null = null;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#pauses = options.returnPauses ?? defaultPauses;
    this.name = options.name;
    this.logFile = options.logFile;
    this.#tail = new LogTail(options.logFile, (record) => {
      if (record.message === `${this.name} serves`) this.#serves();
      this.#records.push(record);
      if (this.#records.length > keptRecords) this.#records.shift();
      options.onRecord(record);
    });
  }

  /**
   * Starts the program in a session of its own, so that Ctrl-C reaches `npm start` only; it receives a signal
   * when `npm start` is killed.
   */
  start(): void {
    const [file, ...args] = [
      ...diesTogether(),
      process.execPath,
      ...this.#options.nodeFlags,
      this.#options.entry,
    ];
    const child = spawn(file, args, {
      env: this.#options.environment,
      stdio: ["ignore", this.#tail.fileDescriptor, this.#tail.fileDescriptor],
      detached: true,
    });
    this.#child = child;
    this.#servesSinceMs = null;
    child.on("error", (error) => this.#ended(child, error.message));
    child.once("exit", (code, signal) => this.#ended(child, signal ?? `code ${code}`));
  }

  /**
   * Resolves with the first line that `isIt`; throws ServiceError when the program ends before and does not
   * return, or after `timeoutMs`.
   */
  async waitForRecord(isIt: (record: LogRecord) => boolean, timeoutMs: number): Promise<LogRecord> {
    const find = () => {
      this.#tail.read();
      const record = this.#records.find(isIt);
      if (record !== undefined || this.#child !== null || this.#return !== null) return record;
      throw new ServiceError(`${this.name} ended (${this.logFile})`, []); // what it said is shown already
    };
    const record = await poll(find, { timeoutMs, everyMs: 50 });
    if (record !== undefined) return record;
    const message = `${this.name} was not ready after ${timeoutMs / 1000} s (${this.logFile})`;
    throw new ServiceError(message, this.#lastLines());
  }

  /** Stops the program. Resolves with how it ended: by itself when asked, or killed after `graceMs`. */
  async stop(graceMs: number): Promise<"clean" | "killed" | "was not running"> {
    this.#staysAway();
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

  /** Kills the program when waiting is over. */
  kill(): void {
    this.#staysAway();
    this.#child?.kill("SIGKILL");
  }

  [Symbol.dispose](): void {
    this.#tail[Symbol.dispose]();
  }

  #serves(): void {
    this.#hasServed = true;
    this.#servesSinceMs = performance.now();
  }

  #staysAway(): void {
    this.#isStopping = true;
    if (this.#return !== null) clearTimeout(this.#return);
    this.#return = null;
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#tail.read();
    if (this.#isStopping) return;
    // A program that never came up would not the next time either.
    if (!this.#hasServed) this.#options.onEnd(how, null);
    else this.#returnLater(how);
  }

  #returnLater(how: string): void {
    if (this.#servesSinceMs !== null && performance.now() - this.#servesSinceMs >= this.#pauses.steadyMs)
      this.#failures = 0;
    const { firstMs: minMs, longestMs: maxMs } = this.#pauses;
    const pauseMs = backOffMs(++this.#failures, { minMs, maxMs, random: noJitter });
    this.#return = setTimeout(() => {
      this.#return = null;
      try {
        this.start();
      } catch (error) {
        this.#returnLater(error instanceof Error ? error.message : String(error));
      }
    }, pauseMs);
    this.#options.onEnd(how, pauseMs);
  }

  #lastLines(): string[] {
    return this.#records
      .slice(-12)
      .map(({ message, fields }) => [message, errorText(fields["err"])].filter(Boolean).join(": "));
  }
}

/**
 * Returns a command prefix that ends the program with this process. Elsewhere than on Linux the program stays
 * when `npm start` is killed, and keeps its port until it is ended by hand.
 */
export function diesTogether(): string[] {
  return process.platform === "linux" ? ["setpriv", "--pdeathsig", "TERM"] : [];
}

/** Returns the message of an error that pino wrote. */
export function errorText(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
