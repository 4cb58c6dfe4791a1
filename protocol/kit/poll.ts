/** Waits for a condition that nothing announces: checks it again and again, with a deadline and a signal. */

import { setTimeout as delay } from "node:timers/promises";

export interface PollOptions {
  /** Milliseconds to wait; null when only `signal`, or the condition itself, ends the wait. */
  timeoutMs: number | null;
  /** Milliseconds between two checks. */
  everyMs: number;
  /** Longest pause in milliseconds; the pause doubles up to this. Default: it stays as it is. */
  maxEveryMs?: number;
  signal?: AbortSignal;
}

/**
 * Resolves with the first result of `look` that is neither undefined nor false, or with undefined at the
 * deadline; the last check comes after the deadline, so a slow machine misses nothing. Rejects with the
 * signal's reason, or with what `look` throws.
 */
export async function poll<Found>(
  look: () => Found | false | undefined | Promise<Found | false | undefined>,
  { timeoutMs, everyMs, maxEveryMs = everyMs, signal }: PollOptions,
): Promise<Found | undefined> {
  const endsAtMs = timeoutMs === null ? Infinity : performance.now() + timeoutMs;
  for (let pauseMs = everyMs; ; pauseMs = Math.min(2 * pauseMs, maxEveryMs)) {
    signal?.throwIfAborted();
    const isLast = performance.now() >= endsAtMs;
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (isLast) return undefined;
    try {
      await delay(pauseMs, undefined, signal === undefined ? {} : { signal });
    } catch {
      signal?.throwIfAborted();
    }
  }
}
