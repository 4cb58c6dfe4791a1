/** Counts the visits of this gateway and has them stored every few seconds: what the parts beside it make together. */

import type { Reconciler } from "@tijolo/protocol/kit";
import { Countries } from "./countries.ts";
import type { Visit } from "./visit.ts";
import { VisitCounter } from "./visit-counter.ts";
import { VisitQueue, type VisitQueueOptions } from "./visit-queue.ts";
import { VisitorHash } from "./visitor-hash.ts";

/** Milliseconds of visits that a crash may lose. */
const storeEveryMs = 10_000;
/** Milliseconds after which the tables of countries are read again, as their package is kept current. */
const readCountriesEveryMs = 24 * 60 * 60_000;

export interface CountedVisitsOptions extends VisitQueueOptions {
  /** Returns the day's salt. */
  salt: () => Uint8Array;
  /** Directory of the tables of countries. */
  countriesDirectory: string;
}

export class CountedVisits {
  readonly #countries = new Countries();
  readonly #options: CountedVisitsOptions;
  readonly #counter: VisitCounter;
  readonly #queue: VisitQueue;
  #keyed: { salt: Uint8Array; hash: VisitorHash } | undefined;

  constructor(options: CountedVisitsOptions) {
    this.#options = options;
    this.#queue = new VisitQueue(options);
    this.#counter = new VisitCounter({
      visitors: () => this.#visitors(),
      countries: this.#countries,
      onEarly: (counts) => {
        this.#queue.add(counts);
        this.#queue.drain().catch(() => {}); // the next call of `store` tries again, and says why
      },
    });
  }

  count(visit: Visit): void {
    this.#counter.count(visit);
  }

  reconcilers(): Reconciler[] {
    return [
      { name: "store-visits", everyMs: storeEveryMs, run: () => this.store() },
      { name: "read-countries", everyMs: readCountriesEveryMs, run: () => this.readCountries() },
    ];
  }

  /** Stores what was counted until now. Rejects when that is not possible; nothing is lost by it. */
  async store(): Promise<void> {
    this.#queue.add(this.#counter.take());
    await this.#queue.drain();
  }

  /** Reads the countries of addresses. Without them visits are counted all the same. */
  async readCountries(): Promise<void> {
    const { countriesDirectory, logger } = this.#options;
    try {
      await this.#countries.load(countriesDirectory);
    } catch (error) {
      logger.warn({ err: error, countriesDirectory }, "the countries of visitors could not be read");
    }
  }

  #visitors(): VisitorHash {
    const salt = this.#options.salt();
    if (this.#keyed?.salt !== salt) this.#keyed = { salt, hash: new VisitorHash(salt) };
    return this.#keyed.hash;
  }
}
