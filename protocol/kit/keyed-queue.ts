/** Runs tasks with the same key one after the other, and those with different keys at the same time. */

export interface KeyedQueueBound {
  /** Of one key, with the one that runs. */
  maxTasks: number;
  /** What a task more than that is refused with. */
  refusal: () => Error;
}

interface Turns {
  tail: Promise<unknown>;
  tasks: number;
}

export class KeyedQueue {
  readonly #bound: KeyedQueueBound | null;
  readonly #turns = new Map<string, Turns>();

  /** Without a bound, who asks has one. */
  constructor(bound: KeyedQueueBound | null = null) {
    this.#bound = bound;
  }

  /** Throws the bound's refusal when too many tasks of the key are there already. */
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

  /** Resolves when all that was asked for until now is over, whatever it came to. */
  async idle(): Promise<void> {
    await Promise.all([...this.#turns.values()].map(({ tail }) => tail));
  }
}
