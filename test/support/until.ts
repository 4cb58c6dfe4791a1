/** Waits for a condition, with a deadline; the only way tests wait. */

import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds in which no wait is given up: what must be fast is measured; a deadline is for a busy machine. */
export const leastWaitMs = 60_000;

export interface UntilOptions {
  /** Milliseconds after which the wait is given up, {@link leastWaitMs} at least. Default: those. */
  timeoutMs?: number;
  everyMs?: number;
  /** Returns true for an error of `condition` that ends the wait. */
  isFinal?: (error: unknown) => boolean;
}

/**
 * Resolves with the first value of `condition` that is not false, null or undefined. An error that it throws
 * counts as "not yet".
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = leastWaitMs, everyMs = 5, isFinal = () => false }: UntilOptions = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const waitMs = Math.max(timeoutMs, leastWaitMs);
  const deadlineMs = performance.now() + waitMs;
  let failure: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null)
        return value as Exclude<NonNullable<T>, false>;
      failure = undefined;
    } catch (error) {
      if (isFinal(error)) throw error;
      failure = error;
    }
    if (performance.now() > deadlineMs)
      throw new Error(`not within ${waitMs} ms: ${condition.toString()}`, { cause: failure });
    await delay(everyMs);
  }
}
