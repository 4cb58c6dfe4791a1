/** Waits for what nothing announces: looks again and again, with a deadline and a signal. */

import { setTimeout as delay } from "node:timers/promises";

export interface PollOptions {
  /** How long to look; null when only `signal`, or the end of what is looked at, ends the wait. */
  timeoutMs: number | null;
  /** Pause between two looks. */
  everyMs: number;
  /** The pause doubles up to this. Default: it stays as it is. */
  maxEveryMs?: number;
  signal?: AbortSignal;
}

/**
 * Resolves with the first answer of `look` that is neither undefined nor false, or with undefined at the
 * deadline; the last look comes after the deadline, so a slow machine gives up nothing that is there. Rejects
 * with the signal's reason, or with what `look` throws.
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
