/** Defines time and randomness, which are injected: a test passes its own. */

export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
}

/**
 * Monotonic clock for durations such as blocks, pauses and windows: nothing sets it, so that none lasts
 * longer or shorter.
 */
export interface SteadyClock {
  /**
   * Milliseconds since 1970 by the clock as it was when the process began; later ones never come before
   * earlier ones.
   */
  steadyNow(): number;
}

/** The clocks of this process. */
export const systemClock: Clock & SteadyClock = {
  now: () => Date.now(),
  steadyNow: () => Math.floor(performance.timeOrigin + performance.now()),
};

/** Returns cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;
