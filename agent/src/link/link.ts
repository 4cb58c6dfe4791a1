/**
 * Maintains the agent's end of the link: keeps both sockets to central up and carries the ledger's reports
 * over them.
 */

import type { UsageReport } from "@tijolo/protocol";
import { callCentral } from "./call.ts";
import { answerRequests } from "./bulk-session.ts";
import { checkCentralUrl, type Connection } from "./connection.ts";
import { followDesired, pumpOutbox, type ControlSession } from "./control-session.ts";
import { Latch } from "@tijolo/protocol/kit";
import { tellInventory } from "./tell-inventory.ts";
import { defaultLinkBounds, type LinkOptions } from "./link-options.ts";
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
  /** Ends both connections. */
  close(): Promise<void>;
}

/** Creates the link, which begins to connect at once. Throws when `centralUrl` is no address. */
export function createLink(options: LinkOptions): Link {
  checkCentralUrl(options.centralUrl);
  const bounds = { ...defaultLinkBounds, ...options.bounds };
  const closing = new AbortController();
  const outboxWake = new Latch();
  const listeners = new Set<() => void>();
  let current: { connection: Connection; session: ControlSession; bearer: string; epoch: number } | undefined;
  let isUsageUnderWay = false;
  const connected = () => (current !== undefined && !current.connection.ended.aborted ? current : undefined);

  const tellAllStates = (takenSequence: number) => {
    options.logger.warn(
      { takenSequence },
      "link: central does not have what this host told it last; the state of each project is told again",
    );
    options.handlers.tellStates();
  };

  const control = stayConnected({
    socket: "control",
    options,
    bounds,
    signal: closing.signal,
    joinAnew: options.joinAnew,
    async session(connection, { bearer, epoch, takenSequence }) {
      if (!options.ledger.resumeFrom(takenSequence)) tellAllStates(takenSequence);
      const session = { connection, options, bounds, outboxWake, isFollowed: false };
      current = { connection, session, bearer, epoch };
      for (const listener of listeners) listener();
      await tellInventory(session);
      followDesired(session);
      await pumpOutbox(session);
    },
  });
  const onConnected: Link["onConnected"] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const bulk = stayConnected({
    socket: "bulk",
    options,
    bounds,
    signal: closing.signal,
    // Its own pause may be half a minute longer, and a host that is back has to answer for its logs.
    onCentralIsBack: onConnected,
    session: (connection) => answerRequests(connection, options, bounds),
  });

  return {
    get state() {
      if (closing.signal.aborted) return "closed";
      return connected() === undefined ? "connecting" : "connected";
    },
    bearer() {
      const now = connected();
      return now === undefined ? undefined : { bearer: now.bearer, epoch: now.epoch };
    },
    onConnected,
    wakeOutbox: () => outboxWake.set(),
    noteRemoved() {
      const { connection, session } = connected() ?? {};
      if (session?.isFollowed === false) connection?.end("this host holds less than it reported");
    },
    sendUsage(usage) {
      const now = connected();
      if (now === undefined || isUsageUnderWay) return;
      isUsageUnderWay = true;
      callCentral(now.connection, bounds.callMs, (signal) =>
        now.connection.client.usage.mutate(usage, { signal }),
      )
        .catch((error: Error) => options.logger.warn({ reason: error.message }, "link: usage was not told"))
        .finally(() => (isUsageUnderWay = false));
    },
    async close() {
      closing.abort();
      await Promise.all([control, bulk]);
    },
  };
}
