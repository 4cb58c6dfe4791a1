/** Background work that runs periodically: one run of each at a time, failures are left to the next run. */

export interface Reconciler {
  name: string;
  everyMs: number;
  /** Runs once. Must be idempotent and bounded, without retries inside. */
  run(): Promise<void>;
}

/** The part of a logger that a driver writes to. */
export interface ReconcilerLogger {
  error(fields: object, message: string): void;
}

/** Runs reconcilers. Its disposal waits for running ones, so what they use must be closed after it. */
export class ReconcilerDriver implements AsyncDisposable {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Map<Reconciler, Promise<void>>();
  readonly #logger: ReconcilerLogger;

  constructor(reconcilers: readonly Reconciler[], logger: ReconcilerLogger) {
    this.#logger = logger;
    for (const reconciler of reconcilers)
      this.#timers.push(setInterval(() => this.#tick(reconciler), reconciler.everyMs).unref());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running.values());
  }

  #tick(reconciler: Reconciler): void {
    if (this.#running.has(reconciler)) return;
    const run = (async () => {
      try {
        await reconciler.run();
      } catch (error) {
        this.#logger.error({ err: error, reconciler: reconciler.name }, "reconciler failed");
      }
    })().finally(() => this.#running.delete(reconciler));
    this.#running.set(reconciler, run);
  }
}
