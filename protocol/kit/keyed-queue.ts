/** Runs tasks with the same key one after the other, and those with different keys at the same time. */

export interface KeyedQueueBound {
  /** Most tasks of one key, including the one that runs. */
  maxTasks: number;
  /** Returns the error that a task beyond the limit is rejected with. */
  refusal: () => Error;
}

interface Turns {
  tail: Promise<unknown>;
  tasks: number;
}

export class KeyedQueue {
  readonly #bound: KeyedQueueBound | null;
  readonly #turns = new Map<string, Turns>();

  /** Without a bound, the caller must limit its tasks itself. */
  constructor(bound: KeyedQueueBound | null = null) {
    this.#bound = bound;
  }

  /** Runs a task in its turn. Throws the bound's refusal when too many tasks of the key wait already. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(key) ?? { tail: Promise.resolve(), tasks: 0 };
    if (this.#bound !== null && turns.tasks >= this.#bound.maxTasks) throw this.#bound.refusal();
    this.#turns.set(key, turns);
    turns.tasks++;
    const result = turns.tail.then(task);
    turns.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      turns.tasks--;
      if (turns.tasks === 0) this.#turns.delete(key);
    }
  }

  /** Resolves when all tasks queued until now are over, whatever their result. */
  async idle(): Promise<void> {
    await Promise.all([...this.#turns.values()].map(({ tail }) => tail));
  }
}
