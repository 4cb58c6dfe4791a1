/** Runs tasks with the same key one after the other, and those with different keys at the same time. */

import { SerialQueue } from "./serial-queue.ts";

export interface KeyedQueueBound {
  /** Most tasks of one key, including the one that runs. */
  maxTasks: number;
  /** Returns the error that a task beyond the limit is rejected with. */
  refusal: () => Error;
}

interface Turns {
  queue: SerialQueue;
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
    const turns = this.#turns.get(key) ?? { queue: new SerialQueue(), tasks: 0 };
    if (this.#bound !== null && turns.tasks >= this.#bound.maxTasks) throw this.#bound.refusal();
    this.#turns.set(key, turns);
    turns.tasks++;
    try {
      return await turns.queue.run(task);
    } finally {
      turns.tasks--;
      if (turns.tasks === 0) this.#turns.delete(key);
    }
  }

  /** Resolves when all tasks queued until now are over, whatever their result. */
  async idle(): Promise<void> {
    await Promise.all([...this.#turns.values()].map(({ queue }) => queue.idle()));
  }
}
