/** A bounded number of things at once, in order of arrival. */

export interface SlotsBound {
  /** Most tasks that wait beside those that run. */
  maxWaiting: number;
  /** Returns the error that one more task is rejected with. */
  refusal: () => Error;
}

export class Slots {
  #free: number;
  readonly #bound: SlotsBound | null;
  readonly #waiting: (() => void)[] = [];

  /** Without a bound, the caller must limit its tasks itself. */
  constructor(count: number, bound: SlotsBound | null = null) {
    this.#free = count;
    this.#bound = bound;
  }

  /**
   * Waits for a slot, then runs `work` in it. Rejects with the bound's refusal, or the signal's reason when
   * aborted before its turn.
   */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#free === 0) await this.#turn(signal);
    else this.#free--;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#bound !== null && this.#waiting.length >= this.#bound.maxWaiting) throw this.#bound.refusal();
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(start);
    });
  }
}
