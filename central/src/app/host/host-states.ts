/** Which hosts are heard from now; kept in memory, since it is only true while connections live. */

import type { Clock } from "../clock.ts";

export class HostStates {
  readonly #heardAt = new Map<string, number>();
  readonly #connected = new Set<string>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  connected(hostId: string): void {
    this.#connected.add(hostId);
    this.heard(hostId);
  }

  disconnected(hostId: string): void {
    this.#connected.delete(hostId);
  }

  heard(hostId: string): void {
    this.#heardAt.set(hostId, this.#clock.now());
  }

  /** A host that is not is `unknown` to operators, and actions on its projects answer `server_unavailable`. */
  isConnected(hostId: string): boolean {
    return this.#connected.has(hostId);
  }

  lastHeardAt(hostId: string): number | null {
    return this.#heardAt.get(hostId) ?? null;
  }
}
