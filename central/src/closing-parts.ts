/** Closes central's parts in a bounded time together, so that what is saved after them is saved. */

/** Milliseconds of all parts together; less than the program that stops central waits for it. */
const defaultWholeMs = 5_000;
/** Milliseconds for each part, also when others have used up the time. */
const leastMs = 500;

export interface ClosingLogger {
  warn(fields: object, message: string): void;
}

export class ClosingParts {
  readonly #logger: ClosingLogger;
  readonly #wholeMs: number;
  #endsAtMs: number | null = null;

  constructor(logger: ClosingLogger, wholeMs: number = defaultWholeMs) {
    this.#logger = logger;
    this.#wholeMs = wholeMs;
  }

  /** Resolves when `close` does, or when the time is up; then it logs which part was left open. */
  async close(part: string, close: () => Promise<unknown>): Promise<void> {
    this.#endsAtMs ??= performance.now() + this.#wholeMs;
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(
      () => late.resolve("late"),
      Math.max(this.#endsAtMs - performance.now(), leastMs),
    );
    try {
      if ((await Promise.race([close(), late.promise])) !== "late") return;
    } finally {
      clearTimeout(timer);
    }
    this.#logger.warn(
      { part },
      "central waits no longer for a part of it to close, and goes on to save what it has to",
    );
  }
}
