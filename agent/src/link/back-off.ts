/**
 * The pause before the next attempt: anywhere between nothing and a ceiling that doubles (full jitter), so
 * that many agents never come at once.
 */

export interface BackOffOptions {
  minMs: number;
  maxMs: number;
  random: (bytes: number) => Uint8Array;
}

/** `attempt` counts failures in a row from 1. */
export function backOffMs(attempt: number, { minMs, maxMs, random }: BackOffOptions): number {
  const ceilingMs = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(ceilingMs * fraction(random));
}

function fraction(random: (bytes: number) => Uint8Array): number {
  const [first = 0, second = 0, third = 0] = random(3);
  return (first * 65_536 + second * 256 + third) / 2 ** 24;
}
