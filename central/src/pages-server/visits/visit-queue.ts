/**
 * Hands counts over to be stored, a bounded number at a time, and keeps those that could not be. Counts are
 * stored all or none, so that a retry counts nothing twice.
 */

import type { Logger } from "pino";
import type { SiteCounts } from "./site-counts.ts";

/** Counts that are stored at once. */
const countsAtOnce = 250;
/** Counts that wait while nothing can be stored; beyond, the oldest are dropped. */
const maxWaiting = 5_000;

export interface VisitQueueOptions {
  /** Stores all of the counts, or rejects and stores none. */
  store: (counts: readonly SiteCounts[]) => Promise<void>;
  logger: Pick<Logger, "warn">;
}

export class VisitQueue {
  readonly #options: VisitQueueOptions;
  #waiting: SiteCounts[] = [];
  #run: Promise<void> | undefined;

  constructor(options: VisitQueueOptions) {
    this.#options = options;
  }

  add(counts: readonly SiteCounts[]): void {
    this.#waiting.push(...counts);
    const excess = this.#waiting.length - maxWaiting;
    if (excess <= 0) return;
    const dropped = this.#waiting.splice(0, excess);
    const requests = dropped.reduce((sum, { sums }) => sum + sums.requests, 0);
    this.#options.logger.warn(
      { requests },
      "counted visits were dropped: they could not be stored for too long",
    );
  }

  /** Stores what waits. Rejects when that is not possible now; it waits for the next call then. */
  async drain(): Promise<void> {
    while (this.#run !== undefined) await this.#run.catch(() => {});
    this.#run = this.#storeAll();
    try {
      await this.#run;
    } finally {
      this.#run = undefined;
    }
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const counts = this.#waiting.splice(0, countsAtOnce);
      try {
        await this.#options.store(counts);
      } catch (error) {
        this.#waiting.unshift(...counts);
        throw error;
      }
    }
  }
}
