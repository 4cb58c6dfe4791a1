/** Remembers a wake-up: any number of `set()` before a `wait()` wake it once. */

export class Latch {
  #isSet = false;
  readonly #waiting = new Set<() => void>();

  set(): void {
    this.#isSet = true;
    for (const wake of this.#waiting) wake();
  }

  /** Waits for the wake-up. `timeoutMs` null waits without a deadline. */
  async wait({
    signal,
    timeoutMs,
  }: {
    signal?: AbortSignal;
    timeoutMs: number | null;
  }): Promise<"set" | "timeout" | "aborted"> {
    if (signal?.aborted === true) return "aborted";
    if (!this.#isSet) {
      const outcome = await this.#sleep(signal, timeoutMs);
      if (outcome !== "set") return outcome;
    }
    this.#isSet = false;
    return "set";
  }

  #sleep(signal: AbortSignal | undefined, timeoutMs: number | null): Promise<"set" | "timeout" | "aborted"> {
    return new Promise((resolve) => {
      const finish = (outcome: "set" | "timeout" | "aborted") => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", abort);
        resolve(outcome);
      };
      const wake = () => finish("set");
      const abort = () => finish("aborted");
      const timer = timeoutMs === null ? undefined : setTimeout(() => finish("timeout"), timeoutMs);
      this.#waiting.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
}
