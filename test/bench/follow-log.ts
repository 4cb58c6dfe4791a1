/** A client that follows a project's log, as the panel and the CLI do, and says when what arrived. */

import type { LogLine } from "@tijolo/protocol";
import type { DeployedProject } from "../real/support/projects/deployed-project.ts";

export interface ArrivedLine extends LogLine {
  /** Time of arrival by the clock of `performance.timeOrigin + performance.now()`. */
  arrivedMs: number;
}

export class LogFollow implements AsyncDisposable {
  readonly #end = new AbortController();
  readonly #waiting = new Set<{
    isIt: (line: ArrivedLine) => boolean;
    resolve: (line: ArrivedLine) => void;
  }>();
  readonly #running: Promise<void>;
  #onLine: (line: ArrivedLine) => void = () => {};
  #isOpen = Promise.withResolvers<void>();

  constructor(project: DeployedProject) {
    this.#running = this.#follow(project);
    this.#running.catch(() => {});
  }

  /** Sets the listener for every line of the program itself from here on. */
  onLine(listener: (line: ArrivedLine) => void): void {
    this.#onLine = listener;
  }

  /** Resolves with the next line that `isIt`. */
  line(isIt: (line: ArrivedLine) => boolean, timeoutMs = 30_000): Promise<ArrivedLine> {
    const { promise, resolve, reject } = Promise.withResolvers<ArrivedLine>();
    const waiting = { isIt, resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => reject(new Error(`no such line within ${timeoutMs} ms`)), timeoutMs);
    this.#running.catch(reject);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    });
  }

  /** Resolves once something was received: from then on the stream is live. */
  opened(): Promise<void> {
    return this.#isOpen.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running.catch(() => {});
  }

  async #follow({ client, id }: DeployedProject): Promise<void> {
    const events = client.streamLogs(
      { id, query: { follow: true, lines: 1, section: "app" } },
      { signal: this.#end.signal },
    );
    for await (const event of events) {
      this.#isOpen.resolve();
      if (event.event !== "log" || event.data.stream === "system") continue;
      const line = { ...event.data, arrivedMs: performance.timeOrigin + performance.now() };
      this.#onLine(line);
      for (const waiting of this.#waiting) if (waiting.isIt(line)) waiting.resolve(line);
    }
  }
}
