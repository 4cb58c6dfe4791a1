/** Writes the log of a simulated program from outside: as many lines, and as fast, as a test wants. */

import { appendFile, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

/** The standard output of a program that says nothing by itself, written as its writer writes it. */
export class StandardOutput {
  readonly #directory: string;
  #last = 0;
  #file = "1-.log";

  constructor({ dataDirectory }: { dataDirectory: string }, projectId: string) {
    this.#directory = join(dataDirectory, "logs", projectId, "app", "stdout");
  }

  async write(texts: readonly string[], at = new Date()): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const stamp = at.toISOString();
    await appendFile(join(this.#directory, this.#file), texts.map((text) => `${stamp} ${text}\n`).join(""));
    this.#last += texts.length;
  }

  /** Loses as many lines. */
  async lose(count: number): Promise<void> {
    const full = this.#file.replace(/-\.log$/, `-${this.#last}.log`);
    await rename(join(this.#directory, this.#file), join(this.#directory, full));
    this.#last += count;
    this.#file = `${this.#last + 1}-.log`;
  }
}
