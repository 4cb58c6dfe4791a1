/** Runs one control connection after its welcome: it receives the desired state and sends the outbox. */

import { withPlainTexts, type DesiredUpdate, type ReportEntry } from "@tijolo/protocol";
import { callCentral, MisunderstoodError, type Connection } from "@tijolo/protocol/kit/link";
import type { Latch } from "@tijolo/protocol/kit";
import { maxReasonLength, type LinkBounds, type LinkOptions } from "./link-options.ts";
import { readUpdate } from "./read-update.ts";

export interface ControlSession {
  connection: Connection;
  options: LinkOptions;
  bounds: LinkBounds;
  /** Set when the outbox has something new. */
  outboxWake: Latch;
  /**
   * False before the first update, and when the last one holds assignments that this host does not follow.
   */
  isFollowed: boolean;
}

/** Takes the numbered desired state into the ledger until the connection ends. */
export function followDesired(session: ControlSession): void {
  new DesiredFollower(session).subscribe(session.options.ledger.held());
}

/** Follows the desired state over one connection. */
class DesiredFollower {
  readonly #session: ControlSession;
  /** Ends a connection over which no desired state comes. */
  readonly #firstUpdate: NodeJS.Timeout;
  #unsubscribe = () => {};
  #hasAskedForAll = false;

  constructor(session: ControlSession) {
    const { connection, bounds } = session;
    this.#session = session;
    this.#firstUpdate = setTimeout(
      () => connection.end("central sent no desired state in time"),
      bounds.callMs,
    );
    connection.ended.addEventListener("abort", () => clearTimeout(this.#firstUpdate), { once: true });
  }

  /** Subscribes to what follows this revision; an earlier subscription does not count any more. */
  subscribe(from: { revision: number; setHash: string }): void {
    this.#unsubscribe();
    const { connection } = this.#session;
    let isCurrent = true;
    const started = connection.client.desired.subscribe(from, {
      onData: (update) => {
        if (isCurrent) this.#takeSafely(update);
      },
      onError: (error) => {
        if (isCurrent) connection.end(`the desired state broke off: ${error.message}`);
      },
      onComplete: () => {
        if (isCurrent) connection.end("the desired state ended");
      },
    });
    this.#unsubscribe = () => {
      isCurrent = false;
      started.unsubscribe();
    };
  }

  /** Catches all errors: one thrown from a subscription's callback would end the whole agent. */
  #takeSafely(received: unknown): void {
    const { connection, options } = this.#session;
    try {
      this.#take(received);
    } catch (error) {
      options.logger.error({ err: error }, "link: the desired state could not be taken");
      connection.end("the desired state could not be taken");
    }
  }

  #take(received: unknown): void {
    const { connection, options } = this.#session;
    const { ledger, logger } = options;
    clearTimeout(this.#firstUpdate);
    const read = readUpdate(received, ledger);
    if (read.update === null)
      return connection.end(`central sent a desired state that is none: ${read.reason}`);
    for (const unread of read.unread) {
      logger.error(
        { ...unread },
        "link: a part of the desired state cannot be read by this agent; on this host it stays as it was",
      );
    }
    if (this.#takeInto(read.update) || this.#hasAskedForAll) return;
    this.#hasAskedForAll = true;
    logger.warn(
      { revision: read.update.revision },
      "link: what this host holds is not what central means; asking for the full set",
    );
    this.subscribe({ revision: 0, setHash: "" });
  }

  /** Takes an update. Returns false when the ledger now holds another set than central means. */
  #takeInto(update: DesiredUpdate): boolean {
    const { ledger, handlers, logger } = this.#session.options;
    const { isComplete, isConsistent } = ledger.applyDesired(update);
    if (!isComplete) return true;
    this.#session.isFollowed = isConsistent;
    handlers.onDesired();
    if (isConsistent) this.#hasAskedForAll = false;
    else if (update.isFull)
      logger.error(
        { revision: update.revision },
        "link: central's full set holds assignments older than this host's, or such as it cannot read; those are not followed",
      );
    return isConsistent;
  }
}

/** Reports the outbox to central, in order, until the connection ends. */
export async function pumpOutbox(session: ControlSession): Promise<void> {
  const { connection, options, bounds, outboxWake } = session;
  const { ledger } = options;
  while (!connection.ended.aborted) {
    const entries = ledger.pending(bounds.maxReportEntries);
    if (entries.length === 0) {
      await outboxWake.wait({ signal: connection.ended, timeoutMs: null });
      continue;
    }
    try {
      await tell(session, entries);
    } catch (error) {
      if (!(error instanceof MisunderstoodError)) throw error;
      for (const entry of entries) await tellOrDrop(session, entry);
    }
  }
}

async function tell({ connection, options, bounds }: ControlSession, entries: ReportEntry[]): Promise<void> {
  const { takenSequence } = await callCentral(connection, bounds.callMs, (signal) =>
    connection.client.report.mutate({ entries: withPlainTexts(entries) }, { signal }),
  );
  if (takenSequence < (entries.at(-1)?.sequence ?? 0))
    throw new Error(`central took the report only up to entry ${takenSequence}`);
  options.ledger.taken(takenSequence);
}

/** Drops an entry that central will never accept, so that it does not hold up what follows it. */
async function tellOrDrop(session: ControlSession, entry: ReportEntry): Promise<void> {
  const { ledger, logger } = session.options;
  try {
    await tell(session, [entry]);
  } catch (error) {
    if (!(error instanceof MisunderstoodError)) throw error;
    const { sequence, projectId, event } = entry;
    const fields = { sequence, projectId, kind: event.kind, reason: error.message.slice(0, maxReasonLength) };
    logger.error(
      fields,
      "link: central does not understand an entry of the outbox; it is dropped, and central never learns of it",
    );
    ledger.taken(sequence);
  }
}
