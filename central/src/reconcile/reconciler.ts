/** Background work that runs when woken or by the clock: one run at a time, wakes coalesced, failures logged and left to the next run. */

import type { Logger } from "pino";

export interface Reconciler {
  name: string;
  everyMs: number;
  /** Idempotent and bounded, no retries inside. */
  run(): Promise<void>;
}

export class ReconcilerDriver implements AsyncDisposable {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(reconcilers: readonly Reconciler[], logger: Logger) {
    for (const reconciler of reconcilers) {
      let isRunning = false;
      const tick = async () => {
        if (isRunning) return;
        isRunning = true;
        try {
          await reconciler.run();
        } catch (error) {
          logger.error({ err: error, reconciler: reconciler.name }, "reconciler failed");
        } finally {
          isRunning = false;
        }
      };
      const timer = setInterval(() => {
        const run = tick();
        this.#running.add(run);
        void run.finally(() => this.#running.delete(run));
      }, reconciler.everyMs);
      timer.unref();
      this.#timers.push(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }
}
