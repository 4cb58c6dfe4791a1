/**
 * Records which hosts are connected now, in memory, since it is only true while connections live; the time of
 * the last contact is written periodically.
 */

import { saveHostsHeard } from "../../store/tables/hosts/host.ts";
import { transact, type Database } from "../../store/store.ts";
import type { Clock } from "../clock.ts";

/**
 * Milliseconds between two writes for a host that is in contact all the time; a crash of central loses what
 * came since.
 */
const saveEveryMs = 60_000;

export class HostStates {
  readonly #heardAt = new Map<string, number>();
  /** Time of the last contact as the database has it. */
  readonly #savedAt = new Map<string, number>();
  readonly #connected = new Set<string>();
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Must be called when the host's hello has been stored. It is not connected before {@link connected}, also
   * when an earlier connection was.
   */
  welcomed(hostId: string): void {
    this.disconnected(hostId);
    this.heard(hostId);
    this.#savedAt.set(hostId, this.#clock.now());
  }

  /**
   * Must be called when the host has reported what it holds, as far as its agent can, and follows the desired
   * state.
   */
  connected(hostId: string): void {
    this.#connected.add(hostId);
    this.heard(hostId);
    this.#db.wakes.wake(`contact:${hostId}`);
  }

  disconnected(hostId: string): void {
    if (this.#connected.delete(hostId)) this.#db.wakes.wake(`contact:${hostId}`);
  }

  heard(hostId: string): void {
    this.#heardAt.set(hostId, this.#clock.now());
  }

  /**
   * True while the host is connected. Otherwise it is `unknown` to operators, and actions on its projects
   * answer `server_unavailable`.
   */
  isConnected(hostId: string): boolean {
    return this.#connected.has(hostId);
  }

  lastHeardAt(hostId: string): number | null {
    return this.#heardAt.get(hostId) ?? null;
  }

  /** Writes the last contact of hosts that have gone, and of those connected for long. */
  async save(): Promise<void> {
    const heard = [...this.#heardAt].filter(([hostId, heardAt]) => this.#isDue(hostId, heardAt));
    if (heard.length === 0) return;
    await transact(this.#db, (tx) => saveHostsHeard(tx, heard));
    for (const [hostId, heardAt] of heard) this.#savedAt.set(hostId, heardAt);
  }

  #isDue(hostId: string, heardAt: number): boolean {
    const savedAt = this.#savedAt.get(hostId) ?? 0;
    return this.#connected.has(hostId) ? heardAt - savedAt >= saveEveryMs : heardAt !== savedAt;
  }
}
