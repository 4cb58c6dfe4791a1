/**
 * Manages a service's log file: written by the service itself, kept below a size, read here line by line as
 * it grows. A failure of its disk ends nothing.
 */

import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";

const pollMs = 100;
const maxFileBytes = 16 * 1024 * 1024;
/** Longest line in characters; a longer one is dropped. */
const maxLineLength = 16 * 1024 * 1024;
const readBytes = 64 * 1024;

/** One line that the service wrote; `fields` when it is of pino's format. */
export interface LogRecord {
  text: string;
  /** Level as pino's number: 30 info, 40 warn, 50 error. A line of another format counts as an error. */
  level: number;
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

export class LogTail implements Disposable {
  /** Descriptor for the service's stdout and stderr; appends, so that the file may be cut under it. */
  readonly fileDescriptor: number;
  readonly #path: string;
  readonly #onRecord: (record: LogRecord) => void;
  readonly #reader: number;
  readonly #timer: NodeJS.Timeout;
  readonly #buffer = Buffer.alloc(readBytes);
  #offset: number;
  /** Offset beyond which the log is cut. */
  #cutAt = maxFileBytes;
  #isReadable = true;
  #isClosed = false;
  readonly #decoder = new StringDecoder("utf8");
  #partial = "";

  constructor(path: string, onRecord: (record: LogRecord) => void) {
    this.#path = path;
    this.#onRecord = onRecord;
    this.fileDescriptor = openSync(path, "a", 0o600);
    this.#reader = openSync(path, "r");
    this.#offset = fstatSync(this.#reader).size;
    this.#timer = setInterval(() => this.read(), pollMs);
    this.#timer.unref();
  }

  /** Reads the new lines; also called by the timer. Never throws. */
  read(): void {
    if (this.#isClosed) return;
    for (;;) {
      const count = this.#readChunk();
      if (count === 0) break;
      this.#offset += count;
      this.#take(this.#buffer.subarray(0, count));
    }
    if (this.#offset > this.#cutAt) this.#cut();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.read();
    this.#isClosed = true;
    closeSync(this.#reader);
    closeSync(this.fileDescriptor);
  }

  /** Reads into the buffer; from the beginning when somebody else has cut the file. */
  #readChunk(): number {
    try {
      if (fstatSync(this.#reader).size < this.#offset) this.#offset = 0;
      const count = readSync(this.#reader, this.#buffer, 0, readBytes, this.#offset);
      this.#isReadable = true;
      return count;
    } catch (error) {
      if (this.#isReadable) this.#tell(error);
      this.#isReadable = false;
      return 0;
    }
  }

  #take(chunk: Buffer): void {
    const lines = this.#decoder.write(chunk).split("\n");
    lines[0] = this.#partial + (lines[0] ?? "");
    const partial = lines.pop() ?? "";
    this.#partial = partial.length > maxLineLength ? "" : partial;
    for (const line of lines) if (line !== "") this.#onRecord(parseLogRecord(line));
  }

  /**
   * Cuts the log; what it had stays beside it as `….1`, if there is room. The file itself is meant, wherever
   * its name was moved.
   */
  #cut(): void {
    const kept = `${this.#path}.1`;
    try {
      copyFileSync(this.#path, kept);
    } catch (error) {
      this.#tell(error);
      removeIfPossible(kept);
    }
    try {
      ftruncateSync(this.fileDescriptor);
      this.#offset = 0;
    } catch (error) {
      this.#tell(error);
    }
    this.#cutAt = this.#offset + maxFileBytes;
  }

  /** Reports the error as a warning among the service's own lines. */
  #tell(error: unknown): void {
    const message = `${basename(this.#path)}: ${error instanceof Error ? error.message : String(error)}`;
    this.#onRecord({ text: message, level: 40, message, fields: {} });
  }
}

/** Removes an incomplete copy, which is of no use and may be what fills the disk. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Why the copy could not be made is told already.
  }
}

export function parseLogRecord(text: string): LogRecord {
  try {
    const fields: unknown = JSON.parse(text);
    if (
      typeof fields === "object" &&
      fields !== null &&
      "level" in fields &&
      typeof fields.level === "number"
    ) {
      const message = "msg" in fields && typeof fields.msg === "string" ? fields.msg : "";
      return { text, level: fields.level, message, fields: { ...fields } };
    }
  } catch {
    // Not pino's: a crash of Node itself, or of something below it.
  }
  return { text, level: 50, message: text, fields: {} };
}
