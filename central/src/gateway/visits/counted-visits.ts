/** Counts the visits of this gateway and has them stored every few seconds: what the parts beside it make together. */

import { Countries } from "./countries.ts";
import type { Visit } from "./visit.ts";
import { VisitCounter } from "./visit-counter.ts";
import { VisitQueue, type VisitQueueOptions } from "./visit-queue.ts";
import { VisitorHash } from "./visitor-hash.ts";

/** Milliseconds of visits that a crash may lose. */
export const storeVisitsEveryMs = 10_000;

export interface CountedVisitsOptions extends VisitQueueOptions {
  /** Returns the day's salt. */
  salt: () => Uint8Array;
}

export class CountedVisits {
  readonly countries = new Countries();
  readonly #counter: VisitCounter;
  readonly #queue: VisitQueue;
  readonly #salt: () => Uint8Array;
  #keyed: { salt: Uint8Array; hash: VisitorHash } | undefined;

  constructor({ salt, ...options }: CountedVisitsOptions) {
    this.#salt = salt;
    this.#queue = new VisitQueue(options);
    this.#counter = new VisitCounter({
      visitors: () => this.#visitors(),
      countries: this.countries,
      onEarly: (counts) => {
        this.#queue.add(counts);
        this.#queue.drain().catch(() => {}); // the next call of `store` tries again, and says why
      },
    });
  }

  count(visit: Visit): void {
    this.#counter.count(visit);
  }

  /** Stores what was counted until now. Rejects when that is not possible; nothing is lost by it. */
  async store(): Promise<void> {
    this.#queue.add(this.#counter.take());
    await this.#queue.drain();
  }

  #visitors(): VisitorHash {
    const salt = this.#salt();
    if (this.#keyed?.salt !== salt) this.#keyed = { salt, hash: new VisitorHash(salt) };
    return this.#keyed.hash;
  }
}
