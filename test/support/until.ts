/** Waits for a condition, with a deadline; the only way tests wait. */

import { setTimeout as delay } from "node:timers/promises";

/** Resolves with the first value of `condition` that is neither false nor undefined. What it throws counts as "not yet". */
export async function until<T>(condition: () => T | Promise<T>, { timeoutMs = 10_000, everyMs = 5 } = {}): Promise<NonNullable<T>> {
  const deadlineMs = performance.now() + timeoutMs;
  let failure: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`, { cause: failure });
    await delay(everyMs);
  }
}
