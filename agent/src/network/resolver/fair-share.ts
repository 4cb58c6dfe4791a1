/** Limits on how much one project may ask of the resolver, so that one project's flood harms no other. */

import { Shares } from "@tijolo/protocol/kit/shares";

export interface ShareLimits {
  /** Queries of one project in a second, over time and at once. */
  perSecond: number;
  burst: number;
  /** Queries that wait for an upstream resolver. */
  waitingPerProject: number;
  waiting: number;
}

/**
 * Default limits. A query over a limit is dropped: a program that asks again a second later gets its answer,
 * a flood slows itself down.
 */
export const shareLimits: ShareLimits = {
  perSecond: 200,
  burst: 1_000,
  waitingPerProject: 64,
  waiting: 1_024,
};

export class FairShare {
  readonly #limits: ShareLimits;
  readonly #nowMs: () => number;
  /** Buckets by asker: no more than the subnet has addresses, as the kernel lets no project forge one. */
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #waiting: Shares;

  constructor(limits: ShareLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#waiting = new Shares({ inAll: limits.waiting, perKey: limits.waitingPerProject });
  }

  /** Counts one query. Returns false when it exceeds the limit. */
  mayAsk(asker: string): boolean {
    const { perSecond, burst } = this.#limits;
    const nowMs = this.#nowMs();
    const bucket = this.#buckets.get(asker) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
    this.#buckets.set(asker, { tokens: Math.max(0, tokens - 1), atMs: nowMs });
    return tokens >= 1;
  }

  /** Runs `work` while it counts as waiting; returns null when too many wait. */
  async whileWaiting<Result>(asker: string, work: () => Promise<Result>): Promise<Result | null> {
    const leave = this.#waiting.take(asker);
    if (leave === undefined) return null;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  get waitingInAll(): number {
    return this.#waiting.taken;
  }
}
