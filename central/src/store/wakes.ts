/**
 * Notifies waiting parts of this process that something may have changed: at once and without content, so
 * that they check for themselves.
 */

/**
 * Topics that can wake a listener: the desired state of a host; whether a host is connected; a project, its
 * settings and its status; an account, its keys, its sessions and which domains it has; which projects an account has; the notices
 * of an account; whether an operator's token still works; which subdomains sites have, and
 * which domains of their own; the certificates that gateways serve; what hosts are in the mesh.
 */
export type WakeTopic =
  | `host:${string}`
  | `contact:${string}`
  | `project:${string}`
  | `account:${string}`
  | `projects:${string}`
  | `notices:${string}`
  | `operator:${string}`
  | "sites"
  | "domains"
  | "certificates"
  | "mesh";

const projectPrefix = "project:";

export class Wakes {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #projectListeners = new Set<(projectId: string) => void>();

  /** Registers a listener. Returns the unsubscribe function. */
  on(topic: WakeTopic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  /** Registers a listener for every project. Returns the unsubscribe function. */
  onProjects(listener: (projectId: string) => void): () => void {
    this.#projectListeners.add(listener);
    return () => this.#projectListeners.delete(listener);
  }

  wake(topic: WakeTopic): void {
    if (topic.startsWith(projectPrefix)) {
      const projectId = topic.slice(projectPrefix.length);
      for (const listener of this.#projectListeners) listener(projectId);
    }
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}
