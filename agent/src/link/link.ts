/**
 * Maintains the agent's end of the link: keeps both sockets to central up and carries the ledger's reports
 * over them.
 */

import type { UsageReport, Welcome } from "@tijolo/protocol";
import { callCentral, checkCentralUrl, type Connection } from "@tijolo/protocol/kit/link";
import { answerRequests } from "./bulk-session.ts";
import { followDesired, pumpOutbox, type ControlSession } from "./control-session.ts";
import { Latch } from "@tijolo/protocol/kit";
import { followMesh } from "./follow-mesh.ts";
import { tellInventory } from "./tell-inventory.ts";
import { defaultLinkBounds, type LinkBounds, type LinkOptions } from "./link-options.ts";
import { stayConnected } from "./stay-connected.ts";

export interface Link {
  /** State of the control connection. */
  readonly state: "connecting" | "connected" | "closed";
  /**
   * Returns what authenticates plain HTTP requests to central (archives, tunnel) now; undefined while not
   * connected. Changes with each connection.
   */
  bearer(): { bearer: string; epoch: number } | undefined;
  /** Fires after each welcome of the control connection. Returns the function that stops it. */
  onConnected(listener: () => void): () => void;
  /** Must be called after an entry was added to the ledger's outbox. */
  wakeOutbox(): void;
  /**
   * Sends the usage. Only the newest counts: it is dropped while there is no connection, or while the last
   * one is being sent.
   */
  sendUsage(usage: UsageReport): void;
  /**
   * Must be called after a project was removed from this host. A central that was set back may have named it
   * while its removal was under way: such an assignment is not followed, and central takes the project for
   * held. Then the connection ends, as the next one begins with the inventory.
   */
  noteRemoved(): void;
  /**
   * Has the gateways send no visits to a run that is about to be stopped. Resolves once those under way are
   * over, after the run's seconds, or when `signal` is aborted; at once while there is no connection. Never
   * rejects.
   */
  drainSite(run: SiteDrain, signal: AbortSignal): Promise<void>;
  /** Ends both connections. */
  close(): Promise<void>;
}

/** A run that visitors are kept from, and how long those that it answers are waited for. */
export interface SiteDrain {
  projectId: string;
  runNumber: number;
  seconds: number;
  /** True to wait for WebSockets and streams of events, too. */
  hasStreams: boolean;
}

/** Creates the link, which begins to connect at once. Throws when `centralUrl` is no address. */
export function createLink(options: LinkOptions): Link {
  checkCentralUrl(options.centralUrl);
  return new AgentLink(options);
}

/** A control connection after its welcome. */
interface Connected {
  connection: Connection;
  session: ControlSession;
  bearer: string;
  epoch: number;
}

class AgentLink implements Link {
  readonly #options: LinkOptions;
  readonly #bounds: LinkBounds;
  readonly #closing = new AbortController();
  readonly #outboxWake = new Latch();
  readonly #listeners = new Set<() => void>();
  /** Resolves when both sockets are closed for good. */
  readonly #over: Promise<unknown>;
  /** The newest control connection, which may have ended. */
  #newest: Connected | undefined;
  #isUsageUnderWay = false;

  constructor(options: LinkOptions) {
    const bounds = { ...defaultLinkBounds, ...options.bounds };
    this.#options = options;
    this.#bounds = bounds;
    const { signal } = this.#closing;
    const control = stayConnected({
      socket: "control",
      options,
      bounds,
      signal,
      joinAnew: options.joinAnew,
      session: (connection, welcome) => this.#runControl(connection, welcome),
    });
    const bulk = stayConnected({
      socket: "bulk",
      options,
      bounds,
      signal,
      // Its own pause may be half a minute longer, and a host that is back has to answer for its logs.
      onCentralIsBack: (listener) => this.onConnected(listener),
      session: (connection) => answerRequests(connection, options, bounds),
    });
    this.#over = Promise.all([control, bulk]);
  }

  get state(): Link["state"] {
    if (this.#closing.signal.aborted) return "closed";
    return this.#findConnected() === undefined ? "connecting" : "connected";
  }

  bearer(): { bearer: string; epoch: number } | undefined {
    const connected = this.#findConnected();
    return connected === undefined ? undefined : { bearer: connected.bearer, epoch: connected.epoch };
  }

  onConnected(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  wakeOutbox(): void {
    this.#outboxWake.set();
  }

  noteRemoved(): void {
    const { connection, session } = this.#findConnected() ?? {};
    if (session?.isFollowed === false) connection?.end("this host holds less than it reported");
  }

  sendUsage(usage: UsageReport): void {
    const connection = this.#findConnected()?.connection;
    if (connection === undefined || this.#isUsageUnderWay) return;
    this.#isUsageUnderWay = true;
    callCentral(connection, this.#bounds.callMs, (signal) =>
      connection.client.usage.mutate(usage, { signal }),
    )
      .catch((error: Error) =>
        this.#options.logger.warn({ reason: error.message }, "link: usage was not told"),
      )
      .finally(() => (this.#isUsageUnderWay = false));
  }

  async drainSite(run: SiteDrain, signal: AbortSignal): Promise<void> {
    const connection = this.#findConnected()?.connection;
    if (connection === undefined) return;
    await callCentral(connection, this.#bounds.callMs + run.seconds * 1000, (timeout) =>
      connection.client.drainSite.mutate(run, { signal: AbortSignal.any([timeout, signal]) }),
    ).catch((error: Error) => {
      if (signal.aborted) return;
      this.#options.logger.warn(
        { ...run, reason: error.message },
        "link: a run was not drained by the gateways",
      );
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#over;
  }

  /** Runs a control connection from its welcome to its end. */
  async #runControl(connection: Connection, { bearer, epoch, takenSequence }: Welcome): Promise<void> {
    const options = this.#options;
    if (!options.ledger.resumeFrom(takenSequence)) {
      options.logger.warn(
        { takenSequence },
        "link: central does not have what this host told it last; the state of each project is told again",
      );
      options.handlers.tellStates();
    }
    const outboxWake = this.#outboxWake;
    const session = { connection, options, bounds: this.#bounds, outboxWake, isFollowed: false };
    this.#newest = { connection, session, bearer, epoch };
    for (const listener of this.#listeners) listener();
    await tellInventory(session);
    followDesired(session);
    followMesh(session);
    await pumpOutbox(session);
  }

  /** Returns the control connection; undefined while there is none. */
  #findConnected(): Connected | undefined {
    return this.#newest?.connection.ended.aborted === false ? this.#newest : undefined;
  }
}
