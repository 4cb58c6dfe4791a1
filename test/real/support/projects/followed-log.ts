/**
 * Follows a project's log as a browser does: over as many connections as it takes, by the id of the last
 * event.
 */

import type { Client } from "@tijolo/protocol";

export interface SeenLine {
  text: string;
  /** The host's time, in milliseconds since 1970. */
  atMs: number;
  /** Time when it arrived here. */
  seenMs: number;
}

const reconnect = { maxAttempts: 400, minDelayMs: 50, maxDelayMs: 300, random: () => Math.random() };

export class FollowedLog implements AsyncDisposable {
  /** Lines that the project wrote to its stdout, in the order of arrival. */
  readonly lines: SeenLine[] = [];
  /** Tijolo's own words. */
  readonly system: string[] = [];
  droppedLines = 0;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;

  /** Follows from the oldest of the last 1000 lines on. */
  constructor(client: Client, id: string) {
    this.#done = this.#follow(client, id);
    this.#done.catch(() => {}); // told by the end
  }

  /** The last number that a line `n <number> …` had; 0 before the first. */
  get lastNumber(): number {
    return this.lines.map(({ text }) => numberOf(text)).findLast((number) => number !== undefined) ?? 0;
  }

  /** The numbers of the lines `n <number> …`. */
  get numbers(): number[] {
    return this.lines.flatMap(({ text }) => numberOf(text) ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  async #follow(client: Client, id: string): Promise<void> {
    const { signal } = this.#abort;
    try {
      for await (const event of client.streamLogs(
        { id, query: { lines: 1000, section: "app" } },
        { signal, reconnect },
      )) {
        if (event.event === "gap") this.droppedLines += event.data.droppedLines;
        if (event.event !== "log") continue;
        const { text, at, stream } = event.data;
        if (stream === "system") this.system.push(text);
        else this.lines.push({ text, atMs: Date.parse(at), seenMs: Date.now() });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function numberOf(text: string): number | undefined {
  const found = /^n (\d+)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
