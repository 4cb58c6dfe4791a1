/**
 * Computes the pause before the next attempt: exponential back-off with jitter, so that many clients of one
 * server never come back at once.
 */

export interface BackOff {
  /** Ceiling of the pause after the first failure; it doubles with each further failure. */
  minMs: number;
  /** Highest ceiling. */
  maxMs: number;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  /** Least share of the ceiling that is waited for. Default 0 (full jitter): anywhere below the ceiling. */
  minShare?: number;
}

/** Returns the pause in milliseconds; `failures` counts failures in a row from 1. */
export function backOffMs(failures: number, { minMs, maxMs, random, minShare = 0 }: BackOff): number {
  const ceilingMs = Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(ceilingMs * (minShare + (1 - minShare) * random()));
}

/** Makes each pause as long as its ceiling, for a retry that has no server in common with other programs. */
export const noJitter = (): number => 1;
