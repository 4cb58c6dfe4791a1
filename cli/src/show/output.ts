/**
 * Writes a command's output: text for people, or JSON for programs. Results go to stdout, notes on the way to
 * stderr. Nothing that is written here controls the terminal, wherever it comes from.
 */

import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import { printable, printableJson } from "./printable.ts";

export type Style = Parameters<typeof styleText>[0];

export interface OutputStreams {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

export class Output {
  readonly isJson: boolean;
  readonly #streams: OutputStreams;
  #hasProgress = false;

  constructor(streams: OutputStreams, options: { isJson: boolean }) {
    this.#streams = streams;
    this.isJson = options.isJson;
  }

  /** True when a person looks at stdout. */
  get isTerminal(): boolean {
    return isTerminal(this.#streams.stdout);
  }

  /** Writes a line of the result, for people. */
  line(text: string): void {
    if (this.isJson) return;
    this.#clearProgress();
    this.#streams.stdout.write(`${printable(text)}\n`);
  }

  /** Writes a line about the way to the result, for people. */
  note(text: string): void {
    if (this.isJson) return;
    this.#clearProgress();
    this.#streams.stderr.write(`${printable(text)}\n`);
  }

  /** Writes a line that the next one replaces; on a terminal only. */
  progress(text: string): void {
    if (this.isJson || !isTerminal(this.#streams.stderr)) return;
    this.#hasProgress = true;
    this.#streams.stderr.write(`\r\u001b[2K${printable(text)}`);
  }

  /** Writes the result as a document, for programs: once per command, or once per event of a stream. */
  json(value: unknown): void {
    if (this.isJson) this.#streams.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
  }

  error(text: string): void {
    this.#clearProgress();
    this.#streams.stderr.write(`${printable(text)}\n`);
  }

  /** Colours the text where stdout is a terminal and NO_COLOR is not set. */
  style(style: Style, text: string): string {
    return paint(this.#streams.stdout, style, text);
  }

  /** Colours the text likewise for lines of `note` and `error`. */
  noteStyle(style: Style, text: string): string {
    return paint(this.#streams.stderr, style, text);
  }

  #clearProgress(): void {
    if (!this.#hasProgress) return;
    this.#hasProgress = false;
    this.#streams.stderr.write("\r\u001b[2K");
  }
}

function paint(stream: NodeJS.WritableStream, style: Style, text: string): string {
  return isTerminal(stream) && !process.env["NO_COLOR"]
    ? styleText(style, text, { validateStream: false })
    : text;
}

function isTerminal(stream: NodeJS.WritableStream): stream is WriteStream {
  return "isTTY" in stream && stream.isTTY === true;
}
