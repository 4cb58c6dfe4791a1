/**
 * Keeps one kind of connection to central up: connects, says hello, runs the session until it ends, pauses,
 * begins again.
 */

import { backOffMs, type LinkSocket, type Welcome } from "@tijolo/protocol";
import { RefusedError, UnknownHostError, openConnection, type Connection } from "@tijolo/protocol/kit/link";
import { Latch } from "@tijolo/protocol/kit";
import type { LinkBounds, LinkOptions } from "./link-options.ts";
import { sayHello } from "./say-hello.ts";

export interface StayConnectedOptions {
  socket: LinkSocket;
  options: LinkOptions;
  bounds: LinkBounds;
  /** Ends the connection and the loop. */
  signal: AbortSignal;
  /**
   * Calls the listener when the next attempt is worth making now, and returns the function that stops that.
   * Not called while connected.
   */
  onCentralIsBack?(listener: () => void): () => void;
  /** Called when central does not know this host. Resolves with true to try again now. */
  joinAnew?(): Promise<boolean>;
  /** Called after each welcome; a rejection ends the connection. */
  session(connection: Connection, welcome: Welcome): void | Promise<void>;
}

/** Resolves when the signal has been aborted and the connection is gone; never rejects. */
export async function stayConnected(stay: StayConnectedOptions): Promise<void> {
  const { socket, options, bounds, signal, onCentralIsBack, joinAnew, session } = stay;
  const { centralUrl, tls, logger, random } = options;
  let pause = new Latch();
  const stopListening = onCentralIsBack?.(() => pause.set());
  let failures = 0;
  while (!signal.aborted) {
    const connection = openConnection(centralUrl, bounds, tls);
    const leave = () => connection.end("the agent is closing");
    signal.addEventListener("abort", leave, { once: true });
    let connectedAtMs: number | undefined;
    let refusal: RefusedError | undefined;
    try {
      const welcome = await sayHello(connection, socket, options, bounds);
      connection.ended.throwIfAborted();
      connectedAtMs = performance.now();
      logger.info({ socket, epoch: welcome.epoch, protocol: welcome.protocol }, "link: connected");
      await Promise.all([session(connection, welcome), whenEnded(connection)]);
    } catch (error) {
      if (error instanceof RefusedError) refusal = error;
      connection.end(error instanceof Error ? error.message : String(error));
    } finally {
      signal.removeEventListener("abort", leave);
    }
    if (signal.aborted) break;
    failures =
      connectedAtMs !== undefined && performance.now() - connectedAtMs >= bounds.stableMs ? 1 : failures + 1;
    const delayMs =
      refusal === undefined
        ? backOffMs(failures, { minMs: bounds.backOffMinMs, maxMs: bounds.backOffMaxMs, random })
        : bounds.refusedMs;
    const isUnknown = connectedAtMs === undefined && refusal instanceof UnknownHostError;
    if (isUnknown && (await joinAnew?.()) === true) continue; // a token joins once, so this does not go round
    logEnd({ options, socket, connection, refusal, delayMs, failures });
    if (connectedAtMs !== undefined) pause = new Latch(); // what was heard meanwhile says nothing of now
    await pause.wait({ signal, timeoutMs: delayMs });
  }
  stopListening?.();
}

function whenEnded({ ended }: Connection): Promise<never> {
  return new Promise((_, reject) => {
    if (ended.aborted) return reject(ended.reason);
    ended.addEventListener("abort", () => reject(ended.reason), { once: true });
  });
}

interface End {
  options: LinkOptions;
  socket: LinkSocket;
  connection: Connection;
  refusal: RefusedError | undefined;
  delayMs: number;
  failures: number;
}

function logEnd({ options, socket, connection, refusal, delayMs, failures }: End): void {
  const { logger, centralUrl } = options;
  if (refusal !== undefined) {
    const message =
      "link: central refuses this host; its projects go on running, and it asks again from time to time";
    return logger.error(
      { socket, centralUrl, hostId: options.hostId(), reason: refusal.message, delayMs },
      message,
    );
  }
  const reason: unknown = connection.ended.reason;
  logger.warn(
    {
      socket,
      centralUrl,
      reason: reason instanceof Error ? reason.message : String(reason),
      delayMs,
      failures,
    },
    "link: not connected; trying again",
  );
}
