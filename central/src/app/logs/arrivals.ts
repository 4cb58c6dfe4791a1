/**
 * What several streams have to say, in the order in which it comes. Not by `Promise.race` in a loop: each
 * race leaves its result with every stream that is still silent, for as long as that one is.
 */

import { Latch } from "@tijolo/protocol/kit";

interface Arrival<Item> {
  source: AsyncIterator<Item>;
  result: IteratorResult<Item>;
}

export class Arrivals<Item> {
  readonly #arrived: (Arrival<Item> | { cause: unknown })[] = [];
  readonly #news = new Latch();

  /** The next item of `source`, or its end, will be among those that come. */
  ask(source: AsyncIterator<Item>): void {
    source.next().then(
      (result) => this.#take({ source, result }),
      (cause: unknown) => this.#take({ cause }),
    );
  }

  /** Throws what a stream has thrown. Waits for as long as all that were asked are silent. */
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
