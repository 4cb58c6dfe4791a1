/** Decides when a host may use its next key: its neighbours let it in with that one before. */

import type { Clock } from "../clock.ts";
import type { JudgedHost } from "./judge-hosts.ts";

/**
 * Milliseconds for which a host waits for neighbours that do not let it in with its next key, because they are
 * disconnected, or their agents are older. What these know is put right when they are next connected.
 */
export const patienceMs = 7 * 24 * 3_600_000;
/** Milliseconds between two looks for hosts that have waited long enough. */
const lookEveryMs = 3_600_000;

export interface KeyChangesOptions {
  clock: Clock;
  /** Milliseconds between two looks at the clock. Default: an hour. */
  lookEveryMs?: number;
  hosts: () => ReadonlyMap<string, JudgedHost>;
  neighboursOf: (hostId: string) => ReadonlySet<string>;
  /** Called with hosts whose {@link KeyChanges.keyToUse} may have changed. */
  notify: (hostIds: ReadonlySet<string>) => void;
}

export class KeyChanges implements Disposable {
  readonly #options: KeyChangesOptions;
  /** Next keys of others that each connected host lets in. */
  readonly #letIn = new Map<string, { connection: object; keys: ReadonlySet<string> }>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: KeyChangesOptions) {
    this.#options = options;
    const look = () => this.#notifyWaiting(options.hosts().keys());
    this.#timer = setInterval(look, options.lookEveryMs ?? lookEveryMs).unref();
  }

  /** Stores which next keys of its neighbours a host lets in, as it reports over a connection. */
  setLetIn(hostId: string, connection: object, keys: readonly string[]): void {
    this.#letIn.set(hostId, { connection, keys: new Set(keys) });
    this.#notifyWaiting(this.#options.neighboursOf(hostId));
  }

  /** Forgets what a host said by this connection, unless it has said something by a newer one. */
  clearLetIn(hostId: string, connection: object): void {
    if (this.#letIn.get(hostId)?.connection !== connection) return;
    this.#letIn.delete(hostId);
    this.#notifyWaiting(this.#options.neighboursOf(hostId));
  }

  /** Returns the next key of a host once it may be used; null before, and without one. */
  keyToUse(host: JudgedHost | undefined, neighbours: readonly { id: string }[]): string | null {
    const next = host?.own?.next ?? null;
    if (next === null) return null;
    const isLetIn = neighbours.every(({ id }) => this.#letIn.get(id)?.keys.has(next.key) === true);
    return isLetIn || this.#options.clock.now() - next.sinceMs >= patienceMs ? next.key : null;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #notifyWaiting(hostIds: Iterable<string>): void {
    const hosts = this.#options.hosts();
    this.#options.notify(new Set([...hostIds].filter((id) => hosts.get(id)?.own?.next != null)));
  }
}
