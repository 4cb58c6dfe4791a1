/** Runs tasks with the same key one after the other, and those with different keys at the same time. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: tail, resolve: done } = Promise.withResolvers<void>();
    this.#tails.set(key, tail);
    await before;
    try {
      return await task();
    } finally {
      done();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  /** Resolves when all that was asked for until now is over, whatever it came to. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
