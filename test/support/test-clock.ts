/** The time of a test's cluster: the real one, plus what the test moves it by. Timers stay real. */

export class TestClock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
