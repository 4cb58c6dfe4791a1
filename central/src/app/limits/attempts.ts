/**
 * Limits how often somebody may guess (spec: Authentication 11): wrong answers are counted in memory, and too
 * many within a window block further ones for a while.
 */

import { AppError, type Words } from "@tijolo/protocol";
import type { SteadyClock } from "../clock.ts";

/** Key by which wrong answers are counted, and how many are let through within the window. */
export interface AttemptCount {
  key: string;
  limit: number;
  /** Text added to the error's own message for a blocked caller. */
  detail?: Words;
}

export interface AttemptTimes {
  windowMs: number;
  blockMs: number;
}

interface Entry {
  wrongAt: number[];
  /** Number of attempts without a result yet; they count, so that bursts get no more guesses. */
  pending: number;
  blockedUntil: number;
}

const maxEntries = 20_000;
const maxProbes = 100;
const pendingSeconds = 1;

export class Attempts {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: SteadyClock;
  readonly #times: AttemptTimes;

  constructor(clock: SteadyClock, times: AttemptTimes) {
    this.#clock = clock;
    this.#times = times;
  }

  /**
   * Runs `isRight` and returns its result. Throws `too_many_attempts` without running it when one of the
   * counts is full.
   */
  async guess(counts: readonly AttemptCount[], isRight: () => Promise<boolean>): Promise<boolean> {
    const entries = counts.map(({ key, limit }) => ({ entry: this.#entryOf(key), limit }));
    for (const { entry, limit } of entries) this.#assertOpen(entry, limit);
    for (const { entry } of entries) entry.pending++;
    let isWrong = false;
    try {
      isWrong = !(await isRight());
      return !isWrong;
    } finally {
      for (const { entry, limit } of entries) {
        entry.pending--;
        if (isWrong) this.#noteWrong(entry, limit);
      }
    }
  }

  /**
   * Counts a wrong answer after the check, so that a block stands in the way of wrong answers only. Throws
   * `too_many_attempts` for an answer within a block, which it does not prolong.
   */
  noteWrong({ key, limit, detail }: AttemptCount): void {
    const entry = this.#entryOf(key);
    this.#assertNotBlocked(entry, detail);
    this.#noteWrong(entry, limit);
  }

  #assertOpen(entry: Entry, limit: number): void {
    this.#assertNotBlocked(entry);
    if (this.#recent(entry).length + entry.pending >= limit)
      throw new AppError("too_many_attempts", { retryAfterSeconds: pendingSeconds });
  }

  #assertNotBlocked({ blockedUntil }: Entry, detail?: Words): void {
    const leftMs = blockedUntil - this.#clock.steadyNow();
    if (leftMs > 0)
      throw new AppError("too_many_attempts", {
        retryAfterSeconds: Math.ceil(leftMs / 1000),
        ...(detail && { detail }),
      });
  }

  #noteWrong(entry: Entry, limit: number): void {
    const now = this.#clock.steadyNow();
    entry.wrongAt = [...this.#recent(entry), now];
    if (entry.wrongAt.length < limit) return;
    entry.wrongAt = [];
    entry.blockedUntil = now + this.#times.blockMs;
  }

  #recent({ wrongAt }: Entry): number[] {
    const now = this.#clock.steadyNow();
    return wrongAt.filter((at) => now - at < this.#times.windowMs);
  }

  /** Returns the entry, which becomes the last to be forgotten. */
  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { wrongAt: [], pending: 0, blockedUntil: 0 };
    this.#entries.delete(key);
    if (this.#entries.size >= maxEntries) this.#forgetOne();
    this.#entries.set(key, entry);
    return entry;
  }

  /** Forgets the entry that was not used for longest, preferably one without a block. */
  #forgetOne(): void {
    const now = this.#clock.steadyNow();
    let oldest: string | undefined;
    let probes = 0;
    for (const [key, { pending, blockedUntil }] of this.#entries) {
      oldest ??= key;
      const isFree = pending === 0 && blockedUntil <= now;
      if (isFree) oldest = key;
      if (isFree || ++probes >= maxProbes) break;
    }
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
