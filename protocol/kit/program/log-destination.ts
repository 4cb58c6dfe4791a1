/**
 * Writes a program's log to a file, pipe or terminal that may refuse it. What cannot be written is dropped
 * and counted; the program goes on.
 */

import { writeSync } from "node:fs";

/**
 * Pauses for the reader of a full pipe, used once: after they were in vain, lines are only tried until one is
 * accepted again.
 */
const fullPipe = { pauses: 10, pauseMs: 10 } as const;

const nothing = Buffer.alloc(0);
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** Receives what pino writes, synchronously: a line is in the log before the call returns. */
export class LogDestination {
  readonly #fileDescriptor: number;
  readonly #program: string;
  /** Rest of a line that was begun, written before anything else, so that the log has whole lines only. */
  #rest: Buffer = nothing;
  #lost = 0;
  #lastError = "";

  constructor(fileDescriptor: number, program: string) {
    this.#fileDescriptor = fileDescriptor;
    this.#program = program;
  }

  /** Writes a line; never throws. */
  write(line: string): void {
    if (!this.#catchUp() || !this.#begin(line)) this.#lost++;
  }

  /** True when nothing is left that must be written before the next line. */
  #catchUp(): boolean {
    if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#writeSome(this.#rest));
    if (this.#rest.length > 0) return false;
    if (this.#lost > 0 && this.#begin(this.#lossLine())) this.#lost = 0;
    return this.#lost === 0 && this.#rest.length === 0;
  }

  /** True when the line is in the log, or a part of it with the rest to follow. */
  #begin(line: string): boolean {
    const bytes = Buffer.from(line);
    const written = this.#writeSome(bytes);
    if (written === 0) return false;
    this.#rest = bytes.subarray(written);
    return true;
  }

  /** Returns how many bytes were taken before the destination refused. */
  #writeSome(bytes: Buffer): number {
    let written = 0;
    let pausesLeft = this.#lost === 0 && this.#rest.length === 0 ? fullPipe.pauses : 0;
    while (written < bytes.length) {
      try {
        written += writeSync(this.#fileDescriptor, bytes, written);
      } catch (error) {
        this.#lastError = (error as NodeJS.ErrnoException).code ?? String(error);
        if (this.#lastError !== "EAGAIN" || pausesLeft === 0) break;
        pausesLeft--;
        Atomics.wait(neverNotified, 0, 0, fullPipe.pauseMs);
      }
    }
    return written;
  }

  /** Returns the line about lost lines in pino's format, at the level of warnings. */
  #lossLine(): string {
    const msg = `lines of this log that could not be written and are lost: ${this.#lost} (${this.#lastError})`;
    return `${JSON.stringify({ level: 40, time: Date.now(), program: this.#program, lost: this.#lost, msg })}\n`;
  }
}

/**
 * Returns the log of this program, on its stdout. Reading `process.stdout` also makes a full pipe fail at
 * once instead of blocking.
 */
export function standardLog(program: string): LogDestination {
  ignoreOutputErrors();
  return new LogDestination(process.stdout.fd, program);
}

/**
 * Keeps a full disk, a closed terminal or a reader that is gone from ending this program, whoever writes:
 * Node its warnings, or a library its messages.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
