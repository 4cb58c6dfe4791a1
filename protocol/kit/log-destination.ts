/**
 * Where a program's log goes: a file, pipe or terminal that may refuse it. What cannot be written is dropped
 * and counted; the program goes on.
 */

import { writeSync } from "node:fs";

/**
 * For the reader of a full pipe, once: after it was in vain, lines are only tried until one is taken again.
 */
const fullPipe = { pauses: 10, pauseMs: 10 } as const;

const nothing = Buffer.alloc(0);
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** What pino writes to, as it comes: a line is in the log before the call returns. */
export class LogDestination {
  readonly #fileDescriptor: number;
  readonly #program: string;
  /** Of a line that was begun: it goes before anything else, so that the log has whole lines only. */
  #rest: Buffer = nothing;
  #lost = 0;
  #lastError = "";

  constructor(fileDescriptor: number, program: string) {
    this.#fileDescriptor = fileDescriptor;
    this.#program = program;
  }

  /** Never throws. */
  write(line: string): void {
    if (!this.#catchUp() || !this.#begin(line)) this.#lost++;
  }

  /** Whether nothing is left that has to stand before the next line. */
  #catchUp(): boolean {
    if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#writeSome(this.#rest));
    if (this.#rest.length > 0) return false;
    if (this.#lost > 0 && this.#begin(this.#lossLine())) this.#lost = 0;
    return this.#lost === 0 && this.#rest.length === 0;
  }

  /** Whether the line is in the log, or a part of it with the rest to follow. */
  #begin(line: string): boolean {
    const bytes = Buffer.from(line);
    const written = this.#writeSome(bytes);
    if (written === 0) return false;
    this.#rest = bytes.subarray(written);
    return true;
  }

  /** How many bytes were taken before the destination refused. */
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

  /** In pino's format, of the level of warnings. */
  #lossLine(): string {
    const msg = `lines of this log that could not be written and are lost: ${this.#lost} (${this.#lastError})`;
    return `${JSON.stringify({ level: 40, time: Date.now(), program: this.#program, lost: this.#lost, msg })}\n`;
  }
}

/**
 * The log of this program, on its stdout. Reading `process.stdout` is also what makes a pipe say that it is
 * full, instead of waiting.
 */
export function standardLog(program: string): LogDestination {
  ignoreOutputErrors();
  return new LogDestination(process.stdout.fd, program);
}

/**
 * A full disk, a closed terminal or a reader that is gone do not end this program, whoever writes: Node its
 * warnings, a library what it thinks.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
