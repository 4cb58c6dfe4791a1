/** Bounds how often an account has domains checked by hand. */

import { AppError } from "@tijolo/protocol";
import type { SteadyClock } from "../clock.ts";
import { remaining, renew, secondsToReset, type RequestWindow } from "../limits/request-window.ts";

const limit = { requests: 10, lengthMs: 60_000 };

export class VerifyRate {
  readonly #clock: SteadyClock;
  /** By account, in the order of their beginning. */
  readonly #windows = new Map<string, RequestWindow>();

  constructor(clock: SteadyClock) {
    this.#clock = clock;
  }

  /** Counts a check. Throws `too_many_requests` when the account had as many as it may have. */
  count(accountId: string): void {
    const now = this.#clock.steadyNow();
    for (const [id, { startedAt }] of this.#windows) {
      if (now - startedAt < limit.lengthMs) break;
      this.#windows.delete(id);
    }
    const window = this.#windows.get(accountId) ?? { startedAt: now, used: 0 };
    this.#windows.set(accountId, window);
    renew(window, limit, now);
    if (remaining(window, limit) === 0)
      throw new AppError("too_many_requests", { retryAfterSeconds: secondsToReset(window, limit, now) });
    window.used++;
  }
}
