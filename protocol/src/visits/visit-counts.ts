/**
 * Holds what is counted of the requests to one site in a window of time. Two counts of the same window merge:
 * the gateway makes them of a few seconds, the store adds them up.
 */

import { LatencyHistogram } from "./latency-histogram.ts";
import { TopValues, type EncodedTop } from "./top-values.ts";
import { VisitorSketch, windowSketch } from "./visitor-sketch.ts";

/** Dimensions that have a top of their values. */
export const visitDimensions = [
  "paths",
  "referrers",
  "countries",
  "devices",
  "browsers",
  "systems",
  "statuses",
  "methods",
  "bots",
] as const;
export type VisitDimension = (typeof visitDimensions)[number];

/** Seconds of the shortest window that is counted. */
export const visitWindowSeconds = 900;

export type VisitTops = Map<VisitDimension, TopValues>;

/** Encoded tops; a dimension without any value is left out. */
export type EncodedTops = { readonly [Dimension in VisitDimension]?: EncodedTop | undefined };

export interface EncodedVisitSums {
  requests: number;
  bytes: number;
  botRequests: number;
  /** Answers with a status of 500 or more. */
  errors: number;
  visitors: string;
  latency: string;
}

/** The sums of a window, without its tops. */
export class VisitSums {
  requests = 0;
  bytes = 0;
  botRequests = 0;
  errors = 0;
  readonly visitors = new VisitorSketch(windowSketch);
  readonly latency = new LatencyHistogram();

  merge(other: VisitSums): void {
    this.requests += other.requests;
    this.bytes += other.bytes;
    this.botRequests += other.botRequests;
    this.errors += other.errors;
    this.visitors.merge(other.visitors);
    this.latency.merge(other.latency);
  }

  copy(): VisitSums {
    const sums = new VisitSums();
    sums.merge(this);
    return sums;
  }

  encode(): EncodedVisitSums {
    const { requests, bytes, botRequests, errors, visitors, latency } = this;
    return { requests, bytes, botRequests, errors, visitors: visitors.encode(), latency: latency.encode() };
  }

  static decode({ visitors, latency, ...numbers }: EncodedVisitSums): VisitSums {
    const sums = new VisitSums();
    Object.assign(sums, numbers);
    sums.visitors.merge(VisitorSketch.decode(visitors, windowSketch));
    sums.latency.merge(LatencyHistogram.decode(latency));
    return sums;
  }
}

/** Merges `other` into `tops`. */
export function mergeTops(tops: VisitTops, other: VisitTops): void {
  for (const [dimension, values] of other) {
    const known = tops.get(dimension) ?? new TopValues();
    known.merge(values);
    tops.set(dimension, known);
  }
}

export function encodeTops(tops: VisitTops): EncodedTops {
  return Object.fromEntries([...tops].map(([dimension, values]) => [dimension, values.encode()]));
}

export function decodeTops(encoded: EncodedTops): VisitTops {
  const tops: VisitTops = new Map();
  for (const dimension of visitDimensions) {
    const top = encoded[dimension];
    if (top !== undefined) tops.set(dimension, TopValues.decode(top));
  }
  return tops;
}
