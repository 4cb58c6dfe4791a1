/**
 * Merges the items of several streams in the order in which they arrive. It avoids `Promise.race` in a loop:
 * each race leaves its result with every stream that is still silent, for as long as that stream is.
 */

import { Latch } from "@tijolo/protocol/kit";

interface Arrival<Item> {
  source: AsyncIterator<Item>;
  result: IteratorResult<Item>;
}

export class Arrivals<Item> {
  readonly #arrived: (Arrival<Item> | { cause: unknown })[] = [];
  readonly #news = new Latch();

  /** Requests the next item of `source`: it, or the end, will be among the arrivals. */
  ask(source: AsyncIterator<Item>): void {
    source.next().then(
      (result) => this.#take({ source, result }),
      (cause: unknown) => this.#take({ cause }),
    );
  }

  /**
   * Returns the next arrival; throws what a stream has thrown. Waits for as long as all requested streams are
   * silent.
   */
  async next(): Promise<Arrival<Item>> {
    for (;;) {
      const first = this.#arrived.shift();
      if (first === undefined) await this.#news.wait({ timeoutMs: null });
      else if ("cause" in first) throw first.cause;
      else return first;
    }
  }

  #take(arrival: Arrival<Item> | { cause: unknown }): void {
    this.#arrived.push(arrival);
    this.#news.set();
  }
}
