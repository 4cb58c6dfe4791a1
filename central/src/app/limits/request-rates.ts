/**
 * Counts how many requests each account made with its keys, per minute and per day (spec: Limits). Counted in
 * memory, written in batches: a restart loses nothing, a crash the last seconds.
 */

import type { Plan } from "@tijolo/protocol";
import {
  deleteRateWindows,
  findRateWindows,
  saveRateWindows,
} from "../../store/tables/accounts/rate-window.ts";
import { transact, type Database } from "../../store/store.ts";
import type { SteadyClock } from "../clock.ts";
import { remaining, renew, secondsToReset, type RequestWindow, type WindowLimit } from "./request-window.ts";

/** The rate limit of an account after a request. */
export interface RateStanding {
  /** Limit of the tightest window: the one with the least left; of two alike, the one that lasts longer. */
  limit: number;
  remaining: number;
  resetSeconds: number;
  /** Seconds until a request passes; null when this one did. */
  retryAfterSeconds: number | null;
}

type RatePlan = Pick<Plan, "requestsPerMinute" | "requestsPerDay">;

interface Tally {
  accountId: string;
  minute: RequestWindow;
  day: RequestWindow;
  isSaved: boolean;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const savedAtOnce = 200;

export class RequestRates {
  readonly #db: Database;
  readonly #clock: SteadyClock;
  readonly #tallies = new Map<string, Tally>();
  readonly #loading = new Map<string, Promise<Tally>>();

  constructor(db: Database, clock: SteadyClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Counts one request, unless a limit is reached: a refused one is not counted. */
  async take(accountId: string, plan: RatePlan): Promise<RateStanding> {
    const tally = this.#tallies.get(accountId) ?? (await this.#load(accountId));
    const now = this.#clock.steadyNow();
    const perMinute: WindowLimit = { requests: plan.requestsPerMinute, lengthMs: minuteMs };
    const perDay: WindowLimit = { requests: plan.requestsPerDay, lengthMs: dayMs };
    renew(tally.minute, perMinute, now);
    renew(tally.day, perDay, now);
    const isRefused = remaining(tally.minute, perMinute) === 0 || remaining(tally.day, perDay) === 0;
    if (!isRefused) {
      tally.minute.used++;
      tally.day.used++;
      tally.isSaved = false;
    }
    const isDayTightest = remaining(tally.day, perDay) <= remaining(tally.minute, perMinute);
    const [window, limit] = isDayTightest ? [tally.day, perDay] : [tally.minute, perMinute];
    const resetSeconds = secondsToReset(window, limit, now);
    return {
      limit: limit.requests,
      remaining: remaining(window, limit),
      resetSeconds,
      // A window that is used up is the tightest; of two, the longer one decides.
      retryAfterSeconds: isRefused ? resetSeconds : null,
    };
  }

  /** Returns what is left of both windows, without counting. A window that has not begun has all its time. */
  async standing(
    accountId: string,
    plan: RatePlan,
  ): Promise<Record<"perMinute" | "perDay", { limit: number; remaining: number; resetSeconds: number }>> {
    const tally = this.#tallies.get(accountId) ?? (await this.#load(accountId));
    const now = this.#clock.steadyNow();
    const view = (current: RequestWindow, limit: WindowLimit) => {
      const window = { ...current };
      renew(window, limit, now);
      return {
        limit: limit.requests,
        remaining: remaining(window, limit),
        resetSeconds: secondsToReset(window, limit, now),
      };
    };
    return {
      perMinute: view(tally.minute, { requests: plan.requestsPerMinute, lengthMs: minuteMs }),
      perDay: view(tally.day, { requests: plan.requestsPerDay, lengthMs: dayMs }),
    };
  }

  /** Writes what was counted since the last time, and forgets accounts that made no request for a day. */
  async save(): Promise<void> {
    const unsaved = [...this.#tallies.values()].filter(({ isSaved }) => !isSaved);
    for (let at = 0; at < unsaved.length; at += savedAtOnce)
      await this.#write(unsaved.slice(at, at + savedAtOnce));
    const now = this.#clock.steadyNow();
    for (const [accountId, { day, isSaved }] of this.#tallies) {
      if (isSaved && now - day.startedAt >= dayMs) this.#tallies.delete(accountId);
    }
  }

  /** Removes the rows of windows that are over. */
  async collect(): Promise<void> {
    await transact(this.#db, (tx) => deleteRateWindows(tx, this.#clock.steadyNow() - dayMs));
  }

  async #write(tallies: readonly Tally[]): Promise<void> {
    for (const tally of tallies) tally.isSaved = true;
    try {
      await transact(this.#db, (tx) => saveRateWindows(tx, tallies));
    } catch (cause) {
      for (const tally of tallies) tally.isSaved = false;
      throw cause;
    }
  }

  /** Loads the counts; of many first requests at once, one reads. */
  #load(accountId: string): Promise<Tally> {
    const loading =
      this.#loading.get(accountId) ?? this.#read(accountId).finally(() => this.#loading.delete(accountId));
    this.#loading.set(accountId, loading);
    return loading;
  }

  async #read(accountId: string): Promise<Tally> {
    const none = () => ({ startedAt: Number.NEGATIVE_INFINITY, used: 0 });
    const stored = await findRateWindows(this.#db, accountId);
    const tally = { accountId, minute: stored?.minute ?? none(), day: stored?.day ?? none(), isSaved: true };
    this.#tallies.set(accountId, tally);
    return tally;
  }
}
