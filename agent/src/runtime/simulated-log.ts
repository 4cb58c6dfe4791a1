/**
 * Writes the lines of simulated programs in the log writer's format (layout: `logs/writer/log-files.ts`), all
 * into one file a stream.
 */

import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { KeyedQueue } from "@tijolo/protocol/kit";

export class SimulatedLog {
  readonly #clock: { now(): Date };
  readonly #queue = new KeyedQueue();

  constructor(clock: { now(): Date }) {
    this.#clock = clock;
  }

  /** Appends the text; several lines become several lines. Resolves once they are in the file. */
  append(directory: string, text: string): Promise<void> {
    return this.#queue.run(directory, async () => {
      const stamp = this.#clock.now().toISOString();
      await mkdir(directory, { recursive: true });
      await appendFile(
        join(directory, "1-.log"),
        text
          .split("\n")
          .map((line) => `${stamp} ${line}\n`)
          .join(""),
      );
    });
  }
}
