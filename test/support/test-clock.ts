/** The time of a test's cluster: the real one, plus what the test moves it by. Timers stay real. */

export class TestClock {
  #heldAtMs: number | null = null;
  #aheadMs = 0;
  #setBackMs = 0;

  now(): number {
    return this.steadyNow() - this.#setBackMs;
  }

  steadyNow(): number {
    return (this.#heldAtMs ?? Date.now()) + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /** As an operator, or a time server, corrects a clock that was ahead: no time passes. */
  setBack(ms: number): void {
    this.#setBackMs += ms;
  }

  /**
   * From now on only {@link advance} moves it: for tests of what is allowed so often within so long, which a
   * slow machine would take longer over. Nothing that waits for a time of this clock, as the pause after a
   * second crash does, comes by itself any more.
   */
  hold(): void {
    this.#heldAtMs ??= Date.now();
  }
}
