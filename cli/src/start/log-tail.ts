/** A service's log file: written by the service itself, kept below a size, read here line by line as it grows. */

import { closeSync, copyFileSync, fstatSync, openSync, readSync, truncateSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const pollMs = 100;
const maxFileBytes = 16 * 1024 * 1024;
/** A longer one is dropped. */
const maxLineLength = 16 * 1024 * 1024;
const readBytes = 64 * 1024;

/** One line that the service wrote; `fields` when it is of pino's format. */
export interface LogRecord {
  text: string;
  /** pino's number: 30 info, 40 warn, 50 error. A line of another format counts as an error. */
  level: number;
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

export class LogTail implements Disposable {
  /** For the service's stdout and stderr; appends, so that the file may be cut under it. */
  readonly fileDescriptor: number;
  readonly #path: string;
  readonly #onRecord: (record: LogRecord) => void;
  readonly #reader: number;
  readonly #timer: NodeJS.Timeout;
  readonly #buffer = Buffer.alloc(readBytes);
  #offset: number;
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

  /** Reads what has come; also called by the timer. */
  read(): void {
    if (this.#isClosed) return;
    for (;;) {
      const count = readSync(this.#reader, this.#buffer, 0, readBytes, this.#offset);
      if (count === 0) break;
      this.#offset += count;
      this.#take(this.#buffer.subarray(0, count));
    }
    if (this.#offset > maxFileBytes) this.#cut();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.read();
    this.#isClosed = true;
    closeSync(this.#reader);
    closeSync(this.fileDescriptor);
  }

  #take(chunk: Buffer): void {
    const lines = this.#decoder.write(chunk).split("\n");
    lines[0] = this.#partial + (lines[0] ?? "");
    const partial = lines.pop() ?? "";
    this.#partial = partial.length > maxLineLength ? "" : partial;
    for (const line of lines) if (line !== "") this.#onRecord(parseLogRecord(line));
  }

  /** The old half stays beside it as `….1`. */
  #cut(): void {
    copyFileSync(this.#path, `${this.#path}.1`);
    truncateSync(this.#path, 0);
    this.#offset = 0;
  }
}

export function parseLogRecord(text: string): LogRecord {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === "object" && fields !== null && "level" in fields && typeof fields.level === "number") {
      const message = "msg" in fields && typeof fields.msg === "string" ? fields.msg : "";
      return { text, level: fields.level, message, fields: { ...fields } };
    }
  } catch {
    // Not pino's: a crash of Node itself, or of something below it.
  }
  return { text, level: 50, message: text, fields: {} };
}
