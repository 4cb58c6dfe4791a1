/** Tells waiting parts of this process that something may have changed: coalesced, without content. */

export class Wakes {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** `topic` is `host:<id>` (what is wanted of it) or `project:<id>` (its status). Returns the unsubscribe function. */
  on(topic: `host:${string}` | `project:${string}`, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  wake(topic: `host:${string}` | `project:${string}`): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}
