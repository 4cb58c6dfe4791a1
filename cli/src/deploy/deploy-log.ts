/**
 * Shows the log lines of one deploy, each once: those that exist, then those that arrive, and at the end
 * those that no stream delivered, as the service may refuse a stream for seconds after another one.
 */

import type { Client, LogLine } from "@tijolo/protocol";
import type { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { eventsOf, formatLogEvent, type ShownEvent } from "../show/show-log.ts";

const keptLines = 15;
/** Largest number of lines of a page, and of pages that are read in a row. */
const pageLines = 1_000;
const maxPages = 10;

export interface DeployLogOptions {
  client: Client;
  projectId: string;
  /** True for a line of the deploy. */
  isOwn: (line: LogLine) => boolean;
  /** False when earlier lines cannot be distinguished from the deploy's: then only later ones are shown. */
  readsEarlier: boolean;
}

export class DeployLog {
  readonly #context: CommandContext;
  readonly #options: DeployLogOptions;
  readonly #lastLines: LogLine[] = [];
  #cursor: string | null = null;

  constructor(context: CommandContext, options: DeployLogOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Newest lines of the deploy, oldest first. */
  get lastLines(): readonly LogLine[] {
    return this.#lastLines;
  }

  /**
   * Shows lines until the signal fires. A log that cannot be read (host disconnected, too many streams open)
   * says nothing of how the deploy ends, so it ends quietly.
   */
  async follow(signal: AbortSignal, nudge: Latch): Promise<void> {
    if (this.#options.readsEarlier) await this.readRest(signal);
    try {
      await this.#readStream(signal, nudge);
    } catch {
      // The signal ended the stream, or there was no stream to be had.
    }
  }

  /** Shows the lines that exist and were not shown yet. */
  async readRest(signal: AbortSignal): Promise<void> {
    const { client, projectId: id, readsEarlier } = this.#options;
    if (!readsEarlier && this.#cursor === null) return;
    try {
      for (let count = 0; count < maxPages; count++) {
        const query = { lines: pageLines, ...(this.#cursor === null ? {} : { cursor: this.#cursor }) };
        const page = await client.streamLogs.page({ id, query }, { signal });
        for (const event of eventsOf(page)) this.#show(event);
        this.#cursor = page.nextCursor ?? this.#cursor;
        if (page.lines.length < pageLines) return;
      }
    } catch {
      // A log that cannot be read says nothing of how the deploy ends.
    }
  }

  async #readStream(signal: AbortSignal, nudge: Latch): Promise<void> {
    const { client, projectId: id, readsEarlier } = this.#options;
    const reconnect = { maxAttempts: 20, minDelayMs: 300, maxDelayMs: 5_000, random: this.#context.random };
    const query = {
      lines: readsEarlier ? pageLines : 0,
      follow: true,
      ...(this.#cursor === null ? {} : { cursor: this.#cursor }),
    };
    for await (const event of client.streamLogs({ id, query }, { signal, reconnect })) {
      if (event.event === "status") {
        nudge.set();
        continue;
      }
      this.#show(event);
      this.#cursor = event.id ?? this.#cursor;
    }
  }

  /** Shows a line of the deploy, and lines that were lost among its own. */
  #show(event: ShownEvent): void {
    if (event.event === "log") {
      if (!this.#options.isOwn(event.data)) return;
      this.#lastLines.push(event.data);
      if (this.#lastLines.length > keptLines) this.#lastLines.shift();
    } else if (this.#lastLines.length === 0) return;
    this.#context.output.note(formatLogEvent(this.#context, event));
  }
}
