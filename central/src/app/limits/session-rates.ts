/** Limits the requests of one panel session, so that a tab in a loop harms nobody. Counted in memory. */

import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { SteadyClock } from "../clock.ts";
import { remaining, renew, secondsToReset, type RequestWindow } from "./request-window.ts";

const lengthMs = 60_000;

export class SessionRates {
  readonly #clock: SteadyClock;
  readonly #limit: { requests: number; lengthMs: number };
  readonly #windows = new Map<string, RequestWindow>();

  constructor(clock: SteadyClock, limits: { sessionRequestsPerMinute: number }) {
    this.#clock = clock;
    this.#limit = { requests: limits.sessionRequestsPerMinute, lengthMs };
  }

  /** Counts one request; returns the refusal when it exceeds the limit. */
  take(sessionId: string): AppError | null {
    const now = this.#clock.steadyNow();
    const window = this.#windows.get(sessionId) ?? { startedAt: now, used: 0 };
    this.#windows.set(sessionId, window);
    renew(window, this.#limit, now);
    if (remaining(window, this.#limit) === 0) {
      return new AppError("rate_limit_exceeded", {
        retryAfterSeconds: secondsToReset(window, this.#limit, now),
        detail: refusalDetails.limitOfSession,
      });
    }
    window.used++;
    return null;
  }

  /** Drops windows that are over. */
  forget(): void {
    const now = this.#clock.steadyNow();
    for (const [sessionId, { startedAt }] of this.#windows) {
      if (now - startedAt >= lengthMs) this.#windows.delete(sessionId);
    }
  }
}
