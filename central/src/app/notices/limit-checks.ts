/**
 * Spaces the checks of limits: hosts report their use every few seconds, which is more often than a check is
 * needed.
 */

import type { Clock } from "../clock.ts";

const everyMs = 30_000;

export class LimitChecks {
  readonly #clock: Clock;
  /** Time of the last check by host id. There are no more than hosts. */
  readonly #checkedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True when the host's use is to be checked now; then the next check is due later. */
  begin(hostId: string): boolean {
    const now = this.#clock.now();
    const before = this.#checkedAt.get(hostId);
    if (before !== undefined && Math.abs(now - before) < everyMs) return false;
    this.#checkedAt.set(hostId, now);
    return true;
  }
}
