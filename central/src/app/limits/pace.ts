/**
 * Spaces heavy actions: after one begins, the next of the same kind may begin only after a pause. In memory:
 * the pauses are of seconds.
 */

import { AppError } from "@tijolo/protocol";
import type { SteadyClock } from "../clock.ts";

export class Pace {
  readonly #clock: SteadyClock;
  readonly #everyMs: number;
  /** Time of the last begin, by subject, in order of time. */
  readonly #begun = new Map<string, { at: number }>();

  constructor(clock: SteadyClock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /**
   * Begins an action. Throws `too_many_requests` when it is too early; that leaves the time as it is. Returns
   * a function that takes it back when it did not come about, which does nothing once another one has begun.
   */
  begin(subject: string): () => void {
    this.assertFree(subject);
    return this.count(subject);
  }

  /**
   * Does what {@link begin} does for something that is under way already, be it too early or not: the next
   * may begin a whole pause later.
   */
  count(subject: string): () => void {
    this.#forgetOver();
    const own = { at: this.#clock.steadyNow() };
    this.#begun.delete(subject);
    this.#begun.set(subject, own);
    return () => {
      if (this.#begun.get(subject) === own) this.#begun.delete(subject);
    };
  }

  isFree(subject: string): boolean {
    return this.#leftMs(this.#begun.get(subject)) === 0;
  }

  /** Checks as {@link begin} does, without beginning. */
  assertFree(subject: string): void {
    const leftMs = this.#leftMs(this.#begun.get(subject));
    if (leftMs > 0) throw new AppError("too_many_requests", { retryAfterSeconds: leftMs / 1000 });
  }

  #forgetOver(): void {
    for (const [subject, begun] of this.#begun) {
      if (this.#leftMs(begun) > 0) return;
      this.#begun.delete(subject);
    }
  }

  #leftMs(begun: { at: number } | undefined): number {
    return begun === undefined ? 0 : Math.max(0, begun.at + this.#everyMs - this.#clock.steadyNow());
  }
}
