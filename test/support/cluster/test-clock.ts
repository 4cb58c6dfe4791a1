/** Provides the time of a test's cluster: the real one, plus what the test moves it by. Timers stay real. */

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

  /**
   * Sets the clock back as an operator, or a time server, corrects a clock that was ahead: no time passes.
   */
  setBack(ms: number): void {
    this.#setBackMs += ms;
  }

  /**
   * Makes {@link advance} alone move the clock from now on: for tests of rates within a window, which a slow
   * machine would take longer over. What waits for a time of this clock, such as the pause after a second
   * crash, no longer happens by itself.
   */
  hold(): void {
    this.#heldAtMs ??= Date.now();
  }
}
