/** Time and randomness, which come from outside: a test hands in its own. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;
