/** Holds one followed stream's oldest line that has not been taken yet. */

import { ForwardLines } from "./forward-lines.ts";
import { lineText, lineTimeReader } from "../line-stamp.ts";
import type { LogSource } from "../reading/log-source.ts";

export class ForwardHead {
  readonly source: LogSource;
  readonly directory: string;
  hasLine = false;
  number = 0;
  /** Time of the line; a line without a time has that of the one before it. */
  atMs = 0;
  text = "";
  /** Number of lines that were dropped right before this one. */
  droppedLines = 0;
  #reader: ForwardLines;
  #lines: string[] = [];
  #next = 0;
  #first = 0;
  #timeOf = lineTimeReader();
  #reading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(source: LogSource, directory: string, delivered: number) {
    this.source = source;
    this.directory = directory;
    this.#reader = new ForwardLines(directory, delivered + 1);
  }

  /** Reads on when no line is at hand. Returns whether it read lines. */
  async fill(): Promise<boolean> {
    if (this.hasLine || this.#isClosed) return false;
    const read = this.#reader.read();
    this.#reading = read.catch(() => {});
    const chunk = await read;
    if (chunk === null) return false;
    this.#lines = chunk.lines;
    this.#next = 0;
    this.#first = chunk.first;
    this.advance();
    this.droppedLines = chunk.droppedLines;
    return true;
  }

  advance(): void {
    this.droppedLines = 0;
    const raw = this.#lines[this.#next];
    this.hasLine = raw !== undefined;
    if (raw === undefined) {
      this.#lines = [];
      return;
    }
    const atMs = this.#timeOf(raw);
    this.number = this.#first + this.#next;
    this.text = lineText(raw, atMs);
    if (!Number.isNaN(atMs)) this.atMs = atMs;
    this.#next += 1;
  }

  /** Waits for a read that is under way, so that no file is closed under it or opened after it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading;
    await this.#reader.close();
  }
}
