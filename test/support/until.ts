/** Waits for a condition, with a deadline; the only way tests wait. */

import { setTimeout as delay } from "node:timers/promises";

export interface UntilOptions {
  /**
   * Milliseconds after which the wait is given up. What must be fast is measured; this is for a busy machine.
   */
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
  { timeoutMs = 30_000, everyMs = 5, isFinal = () => false }: UntilOptions = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const deadlineMs = performance.now() + timeoutMs;
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
      throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`, { cause: failure });
    await delay(everyMs);
  }
}
