/** Repeats an attempt that failed for a passing reason: a bounded number of times, with growing random pauses. */

import { setTimeout as delay } from "node:timers/promises";
import { backOffMs } from "../src/values/back-off.ts";

/** Thrown for a failure that another attempt may solve. */
export class PassingError extends Error {
  override name = "PassingError";
  /** Milliseconds that the server asked the client to wait; null where it did not ask. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | null } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface RetryOptions {
  signal: AbortSignal;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  /** Failures in a row after which it gives up. Default: 6. */
  maxAttempts?: number;
  /** Ceiling of the first pause; it doubles up to 20 s. Default 500 ms. */
  firstPauseMs?: number;
}

const maxPauseMs = 20_000;
/** Longest pause in milliseconds that a server may ask for; a longer one is not waited for. */
const maxRetryAfterMs = 60_000;

/**
 * Resolves with the result of the first attempt that succeeds. An attempt that calls `hasProgressed` resets
 * the count of failures. Rejects with the last {@link PassingError}, with any other error at once, or with
 * the signal's reason.
 */
export async function retry<Result>(
  { signal, random, maxAttempts = 6, firstPauseMs = 500 }: RetryOptions,
  attempt: (hasProgressed: () => void) => Promise<Result>,
): Promise<Result> {
  const backOff = { minMs: firstPauseMs, maxMs: maxPauseMs, random };
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await attempt(() => (failures = 0));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PassingError) || ++failures >= maxAttempts) throw error;
      const retryAfterMs = error.retryAfterMs ?? 0;
      if (retryAfterMs > maxRetryAfterMs) throw error;
      await delay(retryAfterMs + backOffMs(failures, backOff), undefined, { signal }).catch(() => {});
    }
  }
}

/** Returns the milliseconds of a `Retry-After` header in seconds or as a date; null where there is none. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
