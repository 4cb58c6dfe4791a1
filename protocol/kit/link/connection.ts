/**
 * Opens one WebSocket to central with the link's procedures on it. It never reconnects by itself: when it
 * ends it is over.
 */

import { createTRPCClient, createWSClient, wsLink, type TRPCClient } from "@trpc/client";
import { linkMaxBufferedBytes, linkMaxFrameBytes, linkTimes } from "../../src/link/link-limits.ts";
import type { LinkRouter } from "../../src/link/link-router.ts";
import { linkChannelOf } from "../link-channel.ts";
import { WebSocket } from "ws";
import { TLSSocket } from "node:tls";
import type { LinkTls } from "./central-authority.ts";
import { framesOf } from "./link-frames.ts";

export interface Connection {
  readonly client: TRPCClient<LinkRouter>;
  /** Aborted, with an Error as reason, when the connection has ended, whoever ended it. */
  readonly ended: AbortSignal;
  /** What binds signatures to this connection; undefined without a pinned authority. */
  channel(): string | undefined;
  /** Returns the bytes that the other side has yet to read. */
  unsentBytes(): number;
  /** Ends the connection at once. */
  end(reason: string): void;
}

export const defaultConnectionBounds = {
  pingMs: linkTimes.pingMs as number,
  pongMs: linkTimes.pongMs as number,
  /** Milliseconds from the attempt to the welcome. */
  connectMs: 15_000,
  maxFrameBytes: linkMaxFrameBytes,
  maxBufferedBytes: linkMaxBufferedBytes,
};

export type ConnectionBounds = typeof defaultConnectionBounds;

/** Milliseconds that a peer gets to answer the close. */
const closeGraceMs = 500;
const writeCheckMs = 1_000;

/** Opens a connection. Calls may be made at once; they wait for the socket to open. */
export function openConnection(
  centralUrl: string,
  bounds: ConnectionBounds,
  tls: LinkTls | undefined,
): Connection {
  const over = new AbortController();
  let webSocket: LinkWebSocket | undefined;
  const end = (reason: string) => {
    if (over.signal.aborted) return;
    over.abort(new Error(reason));
    clearInterval(writeCheck);
    if (webSocket !== undefined) closeFirmly(webSocket);
    // Also keeps the client from opening another socket. It resolves once what was asked has failed, which is
    // at once.
    void socketClient.close();
  };

  const adopt = (opened: LinkWebSocket) => {
    webSocket = opened;
    opened.on("error", () => {});
    if (over.signal.aborted) closeFirmly(opened);
  };

  class OnlyWebSocket extends LinkWebSocket {
    constructor(url: string) {
      if (webSocket !== undefined) throw new Error("this connection is over");
      super(url, bounds, tls);
      adopt(this);
    }
  }

  const socketClient = createWSClient({
    url: socketUrlOf(centralUrl),
    WebSocket: OnlyWebSocket as unknown as typeof globalThis.WebSocket,
    experimental_encoder: {
      // The client hands it to the socket as it is.
      encode: (data) => framesOf(data, bounds.maxFrameBytes) as unknown as string,
      decode: (data) => JSON.parse(String(data)) as unknown,
    },
    keepAlive: { enabled: true, intervalMs: bounds.pingMs, pongTimeoutMs: bounds.pongMs },
    retryDelayMs: () => closeGraceMs,
    onClose: (cause) => end(describeClose(cause)),
    onError: (event) => end(describeError(event)),
  });
  const writeCheck = setInterval(() => {
    if ((webSocket?.bufferedAmount ?? 0) > bounds.maxBufferedBytes) end("central reads too slowly");
  }, writeCheckMs);
  writeCheck.unref();

  return {
    client: createTRPCClient<LinkRouter>({ links: [wsLink<LinkRouter>({ client: socketClient })] }),
    ended: over.signal,
    channel: () => (tls === undefined ? undefined : webSocket?.channel),
    unsentBytes: () => webSocket?.bufferedAmount ?? 0,
    end,
  };
}

/** A WebSocket within the link's bounds. */
class LinkWebSocket extends WebSocket {
  /** What binds signatures to the connection under it, once that is open; undefined without TLS. */
  channel: string | undefined;

  constructor(url: string, bounds: ConnectionBounds, tls: LinkTls | undefined) {
    super(url, {
      ...tls,
      maxPayload: bounds.maxFrameBytes,
      perMessageDeflate: false,
      handshakeTimeout: bounds.connectMs,
      followRedirects: false,
    });
    this.once("upgrade", ({ socket }) => {
      if (socket instanceof TLSSocket) this.channel = linkChannelOf(socket);
    });
  }

  /** Sends a list of what {@link framesOf} made of one turn's messages, or a text of the client's own. */
  override send(data: unknown): void {
    for (const frame of Array.isArray(data) ? (data as string[]) : [String(data)]) super.send(frame);
  }

  /**
   * Closes the socket with a deadline: the client's keepalive closes a silent socket, and against a black
   * hole the close itself would wait for ever.
   */
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason);
    setTimeout(() => this.terminate(), closeGraceMs).unref();
  }
}

/** Throws an error whose message is a sentence for the operator. */
export function checkCentralUrl(centralUrl: string): void {
  if (URL.canParse(centralUrl) && /^https?:$/.test(new URL(centralUrl).protocol)) return;
  throw new Error(
    `Central's address ${JSON.stringify(centralUrl)} is no address; it looks like https://host:port.`,
  );
}

function closeFirmly(webSocket: WebSocket): void {
  if (webSocket.readyState === WebSocket.CLOSED) return;
  if (webSocket.readyState === WebSocket.OPEN) webSocket.close(1000);
  else webSocket.terminate();
}

function socketUrlOf(centralUrl: string): string {
  const url = new URL("/link", centralUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function describeClose(cause: { code?: number; reason?: string } | undefined): string {
  const reason = cause?.reason ?? "";
  return reason === ""
    ? `the connection ended (code ${cause?.code ?? "unknown"})`
    : `central ended the connection: ${reason}`;
}

function describeError(event: unknown): string {
  const message =
    typeof event === "object" && event !== null && "message" in event ? String(event.message) : "";
  return message === "" ? "the connection failed" : message;
}
