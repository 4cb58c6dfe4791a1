/** What happens on one control connection after its welcome: the desired state comes in, the outbox goes out. */

import { desiredUpdate, type DesiredUpdate } from "@tijolo/protocol";
import type { z } from "zod";
import { callCentral } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { Latch } from "@tijolo/protocol/node";
import type { LinkBounds, LinkOptions } from "./link-options.ts";

export interface ControlSession {
  connection: Connection;
  options: LinkOptions;
  bounds: LinkBounds;
  /** Set when the outbox has something new. */
  outboxWake: Latch;
}

/** Takes the numbered desired state into the ledger until the connection ends. */
export function followDesired({ connection, options, bounds }: ControlSession): void {
  const { ledger, handlers, logger } = options;
  let subscription: { unsubscribe(): void } | undefined;
  let hasAskedForAll = false;

  const subscribe = (from: { revision: number; setHash: string }) => {
    subscription?.unsubscribe();
    let isCurrent = true;
    const started = connection.client.desired.subscribe(from, {
      onData: (update) => {
        if (isCurrent) takeSafely(update);
      },
      onError: (error) => {
        if (isCurrent) connection.end(`the desired state broke off: ${error.message}`);
      },
      onComplete: () => {
        if (isCurrent) connection.end("the desired state ended");
      },
    });
    subscription = {
      unsubscribe() {
        isCurrent = false;
        started.unsubscribe();
      },
    };
  };

  /** What is thrown out of a subscription's callback would end the whole agent. */
  const takeSafely = (received: unknown) => {
    try {
      take(received);
    } catch (error) {
      logger.error({ err: error }, "link: the desired state could not be taken");
      connection.end("the desired state could not be taken");
    }
  };

  const take = (received: unknown) => {
    clearTimeout(firstUpdate);
    const update = desiredUpdate.safeParse(received);
    if (!update.success) return connection.end(`central sent a desired state that is none: ${describeIssue(update.error)}`);
    if (takeInto(update.data)) return;
    if (!hasAskedForAll) {
      hasAskedForAll = true;
      logger.warn({ revision: update.data.revision }, "link: what this host holds is not what central means; asking for the full set");
      subscribe({ revision: 0, setHash: "" });
    }
  };

  /** Answers false when the ledger now holds another set than central means. */
  const takeInto = (update: DesiredUpdate): boolean => {
    const { isComplete, isConsistent } = ledger.applyDesired(update);
    if (!isComplete) return true;
    handlers.onDesired();
    if (isConsistent) hasAskedForAll = false;
    else if (update.isFull)
      logger.error(
        { revision: update.revision },
        "link: central's full set holds assignments older than this host's; those are not followed",
      );
    return isConsistent;
  };

  const firstUpdate = setTimeout(() => connection.end("central sent no desired state in time"), bounds.callMs);
  connection.ended.addEventListener("abort", () => clearTimeout(firstUpdate), { once: true });
  subscribe(ledger.held());
}

/** Where it is wrong, and nothing of what it holds: variables may be in it. */
function describeIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "unknown" : `${issue.code} at ${issue.path.slice(0, 3).join(".")}`;
}

/** Tells the outbox to central, in order, until the connection ends. */
export async function pumpOutbox({ connection, options, bounds, outboxWake }: ControlSession): Promise<void> {
  const { ledger } = options;
  while (!connection.ended.aborted) {
    const entries = ledger.pending(bounds.maxReportEntries);
    if (entries.length === 0) {
      await outboxWake.wait({ signal: connection.ended, timeoutMs: null });
      continue;
    }
    const { takenSequence } = await callCentral(connection, bounds.callMs, (signal) =>
      connection.client.report.mutate({ entries }, { signal }),
    );
    if (takenSequence < (entries.at(-1)?.sequence ?? 0)) throw new Error(`central took the report only up to entry ${takenSequence}`);
    ledger.taken(takenSequence);
  }
}
