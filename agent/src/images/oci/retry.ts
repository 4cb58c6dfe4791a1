/**
 * Repeats what failed for a passing reason: a bounded number of times, with growing, random pauses, or after
 * what the server asked for.
 */

import { setTimeout as delay } from "node:timers/promises";
import { OciError } from "./oci-error.ts";

/** No usable answer, perhaps the next time; thrown as it is when the attempts are used up. */
export class PassingError extends OciError {
  /** How long the server asked to be left alone; null where it did not. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | null } = {}) {
    super("unreachable", message, options.cause);
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface RetryOptions {
  signal: AbortSignal;
  /** From 0 to below 1. */
  random: () => number;
  /** Failures in a row until it is given up. Default 6. */
  maxAttempts?: number;
  /** Upper bound of the first pause; it doubles up to 20 s. Default 500 ms. */
  firstPauseMs?: number;
}

const maxPauseMs = 20_000;
/** A server that wants to be left alone for longer is not waited for. */
const maxRetryAfterMs = 60_000;

/**
 * `attempt` may answer `hasProgressed` by its argument, which begins the count anew. Throws the last {@link
 * PassingError}, or any other error at once.
 */
export async function retry<Result>(
  options: RetryOptions,
  attempt: (hasProgressed: () => void) => Promise<Result>,
): Promise<Result> {
  const { signal, random, maxAttempts = 6, firstPauseMs = 500 } = options;
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await attempt(() => {
        failures = 0;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (
        !(error instanceof PassingError) ||
        ++failures >= maxAttempts ||
        (error.retryAfterMs ?? 0) > maxRetryAfterMs
      )
        throw error;
      const pauseMs = random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1));
      await delay((error.retryAfterMs ?? 0) + pauseMs, undefined, { signal });
    }
  }
}

/** `Retry-After` in seconds or as a date; null where there is none. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
