/**
 * Serves the link's procedures on one WebSocket and enforces the socket's bounds: keepalive, frames, unsent
 * data, time to say hello.
 */

import type { IncomingMessage } from "node:http";
import type { TRPCError } from "@trpc/server";
import { getWSConnectionHandler, type Encoder } from "@trpc/server/adapters/ws";
import { linkMaxFrameMessages, linkRouter } from "@tijolo/protocol";
import type { WebSocket, WebSocketServer } from "ws";
import { AgentConnection, type LinkSite } from "./agent-connection.ts";
import { closeInTime } from "./close-in-time.ts";
import { channelOf } from "./link-certificate.ts";
import { closeCodes, type LinkBounds, type LinkLogger } from "./link-options.ts";
import { readFrame } from "./read-frame.ts";

/** Handle of a socket that the server keeps until `onClose`. */
export interface LinkSocketHandle {
  readonly connection: AgentConnection;
  /** Cuts the socket when it holds unsent data for too long; must be called periodically. */
  sweep(nowMs: number): void;
}

export interface LinkSocketOptions {
  site: LinkSite;
  server: WebSocketServer;
  webSocket: WebSocket;
  /** The upgrade that it came with. */
  request: IncomingMessage;
  /** The client's network, as `networkOf` names it. */
  network: string;
  /** Address at which others reach the client; null when that is this machine's own. */
  address: string | null;
  /** Called when the hello was accepted. */
  welcomed: () => void;
}

export function serveLinkSocket(options: LinkSocketOptions): LinkSocketHandle {
  const { site, server, webSocket, request, network, address, welcomed } = options;
  const { bounds, logger, refusals } = site;
  const channel = channelOf(request);
  const connection = new AgentConnection(site, {
    network,
    address,
    channel,
    isPrivate: channel !== undefined || isOfThisMachine(request),
    welcomed,
    cut: (code, reason) => closeInTime(webSocket, code, reason),
    unsentBytes: () => webSocket.bufferedAmount,
  });
  const refuse: Refuse = (code, reason) => {
    if (connection.isWelcome)
      logger.warn({ hostId: connection.hostId, reason, network }, "link: connection cut");
    else refusals.note(network, { reason }, "link: connection cut");
    connection.end(code, reason);
    webSocket.terminate();
  };
  const helloTimer = setTimeout(() => {
    if (!connection.isWelcome) connection.end(closeCodes.noHello, "no hello in time");
  }, bounds.helloMs);
  webSocket.on("message", lifeSigns(connection));
  webSocket.on("close", () => {
    clearTimeout(helloTimer);
    connection.ended();
  });
  getWSConnectionHandler({
    wss: server,
    router: linkRouter,
    createContext: () => connection,
    experimental_encoder: boundedEncoder(webSocket, { site, connection, refuse }),
    maxBatchSize: linkMaxFrameMessages,
    keepAlive: { enabled: true, pingMs: bounds.pingMs, pongWaitMs: bounds.pongMs },
    onError: ({ error, path }) => judgeFailedCall(connection, { error, path, logger }),
  })(webSocket, request);
  const refuseUnread = (reason: string) => refuse(closeCodes.tooMuch, reason);
  return { connection, sweep: writeDeadline(webSocket, request, bounds, refuseUnread) };
}

function isOfThisMachine({ socket: { remoteAddress = "" } }: IncomingMessage): boolean {
  return /^(?:(?:::ffff:)?127\.|::1$)/.test(remoteAddress);
}

/** Returns a listener for messages, which reports a welcome agent as alive once a second at most. */
function lifeSigns(connection: AgentConnection): () => void {
  let lastHeardMs = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs - lastHeardMs < 1_000 && lastHeardMs !== 0) return;
    if (connection.isWelcome) lastHeardMs = nowMs;
    connection.heard();
  };
}

/** Ends the connection of a stranger whose hello or join failed, and logs a malformed call of an agent. */
function judgeFailedCall(
  connection: AgentConnection,
  { error, path, logger }: { error: TRPCError; path: string | undefined; logger: LinkLogger },
): void {
  // The answer goes out in this turn. A stranger has one try: it costs nobody more than a connection does.
  if (!connection.isWelcome && isTry(path))
    return void setImmediate(() => connection.end(closeCodes.refused, "refused"));
  // Strangers do not write to the log; what failed inside was logged where it failed.
  if (connection.isWelcome && error.code === "BAD_REQUEST") {
    logger.warn(
      { hostId: connection.hostId, path, reason: error.message.slice(0, 500) },
      "link: an agent made a call that is none",
    );
  }
}

function isTry(path: string | undefined): boolean {
  return path === "hello" || path === "gatewayHello" || path === "join";
}

type Refuse = (code: number, reason: string) => void;

/** Returns an encoder that refuses malformed frames, and a peer that reads too slowly. */
function boundedEncoder(
  webSocket: WebSocket,
  { site, connection, refuse }: { site: LinkSite; connection: AgentConnection; refuse: Refuse },
): Encoder {
  const { bounds, logger } = site;
  return {
    decode(data) {
      const frame = readFrame(data);
      if (frame !== undefined) return frame;
      refuse(closeCodes.malformed, "malformed frame");
      throw new Error("malformed frame");
    },
    encode(message) {
      if (webSocket.bufferedAmount > bounds.maxBufferedBytes)
        refuse(closeCodes.tooMuch, "the peer reads too slowly");
      const frame = JSON.stringify(message);
      if (frame.length > bounds.maxFrameBytes) {
        logger.error(
          { hostId: connection.hostId, sizeBytes: frame.length },
          "link: a frame is larger than agents accept",
        );
      }
      return frame;
    },
  };
}

/**
 * Returns a function that refuses the socket when too much is unsent, or when unsent data makes no progress
 * for `writeMs`.
 */
function writeDeadline(
  webSocket: WebSocket,
  { socket }: IncomingMessage,
  bounds: LinkBounds,
  refuse: (reason: string) => void,
): (nowMs: number) => void {
  let sentBytes = 0;
  let progressAtMs: number | undefined;
  return (nowMs) => {
    const unsentBytes = webSocket.bufferedAmount;
    const nowSentBytes = socket.bytesWritten - unsentBytes;
    if (unsentBytes === 0 || nowSentBytes !== sentBytes || progressAtMs === undefined) progressAtMs = nowMs;
    sentBytes = nowSentBytes;
    if (unsentBytes > bounds.maxBufferedBytes) refuse("the peer reads too slowly");
    else if (nowMs - progressAtMs > bounds.writeMs) refuse("the peer does not read");
  };
}
