/**
 * Counts the most frequent of many values with a fixed number of counters (Space-Saving; Metwally, Agrawal, El
 * Abbadi, 2005). A value that is frequent enough always has a counter. The count that is reported is what was
 * certainly seen: it may be lower than the truth and is never higher.
 */

import { valueSketch, VisitorSketch } from "./visitor-sketch.ts";

/** Counters of a top while its window is open. */
export const topCounters = 64;
/** Values of a top that are kept once its window is over. */
export const keptValues = 32;

/** Bytes of a top without a counter and of a counter with its value and its visitors, roughly. */
const topBytes = 200;
const counterBytes = 400;

interface TopCounter {
  value: string;
  requests: number;
  /** Requests of the value that may have been missed before it had a counter. */
  missed: number;
  bytes: number;
  visitors: VisitorSketch;
}

/** One value: its text, requests, requests that may have been missed, bytes, and sketch of its visitors. */
export type EncodedTopValue = readonly [
  value: string,
  requests: number,
  missed: number,
  bytes: number,
  visitors: string,
];

export interface EncodedTop {
  /** Requests that a value without a counter may have had. */
  missed: number;
  values: readonly EncodedTopValue[];
}

/** One value of a top, as it is shown. */
export interface TopValue {
  value: string;
  visits: number;
  requests: number;
  bytes: number;
}

export class TopValues {
  readonly #counters = new Map<string, TopCounter>();
  /** Requests that a value without a counter may have had. */
  #missed = 0;

  /** Bytes that the top takes in memory, roughly. */
  get sizeBytes(): number {
    return topBytes + counterBytes * this.#counters.size;
  }

  /** Counts a request; `visitor` is null when it is of nobody who counts as a visitor. */
  count(value: string, bytes: number, visitor: number | null): void {
    const counter = this.#counters.get(value) ?? this.#assign(value);
    counter.requests += 1;
    counter.bytes += bytes;
    if (visitor !== null) counter.visitors.add(visitor);
  }

  merge(other: TopValues): void {
    for (const counter of this.#counters.values()) {
      if (!other.#counters.has(counter.value)) counter.missed += other.#missed;
    }
    for (const theirs of other.#counters.values()) {
      const own = this.#counters.get(theirs.value);
      if (own === undefined) {
        const { value, requests, bytes } = theirs;
        const visitors = new VisitorSketch(valueSketch);
        visitors.merge(theirs.visitors);
        const missed = theirs.missed + this.#missed;
        this.#counters.set(value, { value, requests, missed, bytes, visitors });
        continue;
      }
      own.requests += theirs.requests;
      own.missed += theirs.missed;
      own.bytes += theirs.bytes;
      own.visitors.merge(theirs.visitors);
    }
    this.#missed += other.#missed;
    this.keep(topCounters);
  }

  /** Keeps the `count` counters that may stand for most requests. */
  keep(count: number): void {
    if (this.#counters.size <= count) return;
    const sorted = [...this.#counters.values()].toSorted((one, next) => mostOf(next) - mostOf(one));
    for (const counter of sorted.slice(count)) this.#drop(counter);
  }

  /** Returns the values with the most requests, the first first. */
  list(count: number): TopValue[] {
    return [...this.#counters.values()]
      .toSorted((one, other) => other.requests - one.requests || (one.value < other.value ? -1 : 1))
      .slice(0, count)
      .map(({ value, requests, bytes, visitors }) => ({
        value,
        visits: Math.min(requests, visitors.estimate()),
        requests,
        bytes,
      }));
  }

  encode(): EncodedTop {
    const values = [...this.#counters.values()].map(
      ({ value, requests, missed, bytes, visitors }): EncodedTopValue => [
        value,
        requests,
        missed,
        bytes,
        visitors.encode(),
      ],
    );
    return { missed: this.#missed, values };
  }

  static decode({ missed, values }: EncodedTop): TopValues {
    const top = new TopValues();
    top.#missed = missed;
    for (const [value, requests, missedOfValue, bytes, text] of values) {
      const visitors = VisitorSketch.decode(text, valueSketch);
      top.#counters.set(value, { value, requests, missed: missedOfValue, bytes, visitors });
    }
    return top;
  }

  /** Gives the value a counter; when all are in use, that of the value which may stand for the fewest. */
  #assign(value: string): TopCounter {
    if (this.#counters.size >= topCounters) {
      let least: TopCounter | undefined;
      for (const counter of this.#counters.values()) {
        if (least === undefined || mostOf(counter) < mostOf(least)) least = counter;
      }
      if (least !== undefined) this.#drop(least);
    }
    const visitors = new VisitorSketch(valueSketch);
    const counter = { value, requests: 0, missed: this.#missed, bytes: 0, visitors };
    this.#counters.set(value, counter);
    return counter;
  }

  #drop(counter: TopCounter): void {
    this.#missed = Math.max(this.#missed, mostOf(counter));
    this.#counters.delete(counter.value);
  }
}

function mostOf({ requests, missed }: TopCounter): number {
  return requests + missed;
}
