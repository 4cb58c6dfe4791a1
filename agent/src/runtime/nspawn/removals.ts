/** Runs removals that nobody waits for, but that must be over before their project goes or the agent ends. */

import { setTimeout as delay } from "node:timers/promises";

/**
 * Milliseconds before a removal begins: a run that ended is often followed by the next one, which has the
 * machine to itself until then.
 */
const pauseMs = 500;

export class Removals {
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  start(projectId: string, remove: () => Promise<void>): void {
    const removal = delay(pauseMs)
      .then(remove)
      .catch(this.#onError)
      .finally(() => this.#underWay.delete(removal));
    this.#underWay.set(removal, projectId);
  }

  async ended(projectId: string): Promise<void> {
    await Promise.all([...this.#underWay].filter(([, id]) => id === projectId).map(([removal]) => removal));
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#underWay.keys());
  }
}
