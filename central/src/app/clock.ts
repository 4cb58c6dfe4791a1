/** Time and randomness, which come from outside: a test hands in its own. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Measures how long something lasts, as blocks, pauses and windows do: nothing sets this clock, so that none
 * lasts longer or shorter.
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

/** Cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;
