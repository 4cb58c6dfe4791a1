/**
 * Does one piece of work again and again, as looking whether a process runs: after a pause, later after each
 * failure, and at once when asked. It is never done twice at the same time.
 */

import { backOffMs, type BackOff } from "@tijolo/protocol";

export interface KeptWorkOptions {
  work: () => Promise<void>;
  /** Milliseconds from one success to the next try. */
  everyMs: number;
  /** Pauses after failures. */
  pauses: BackOff;
  onFailure: (error: unknown) => void;
}

export class KeptWork {
  readonly #options: KeptWorkOptions;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: KeptWorkOptions) {
    this.#options = options;
  }

  /** Does the work now, and keeps doing it until {@link close}. Resolves once it is done, or has failed. */
  keep(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#do());
    return this.#turn;
  }

  /** Ends it; resolves once nothing is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  async #do(): Promise<void> {
    if (this.#isClosed) return;
    const { work, everyMs, pauses, onFailure } = this.#options;
    let waitMs = everyMs;
    try {
      await work();
      this.#failures = 0;
    } catch (error) {
      waitMs = backOffMs(++this.#failures, pauses);
      onFailure(error);
    }
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.keep(), waitMs).unref();
  }
}
