/**
 * Opens the WebSocket to central that carries the mesh's datagrams where UDP does not pass. Like UDP it
 * promises nothing: what finds no room is dropped, and what is in the datagrams is encrypted from host to
 * host.
 */

import { WebSocket, type RawData } from "ws";
import { linkTimes } from "../../src/link/link-limits.ts";
import {
  carried,
  carrierPath,
  carrierQueueBytes,
  maxCarriedBytes,
  readCarried,
} from "../../src/link/mesh-messages.ts";
import { writesTogether } from "../streams/writes-together.ts";
import type { LinkTls } from "./central-authority.ts";

export interface CarrierOptions {
  centralUrl: string;
  tls?: LinkTls | undefined;
  /** Bearer of the host's control connection. */
  bearer: string;
  onDatagram: (hostId: string, datagram: Uint8Array) => void;
}

export interface CarrierSocket {
  /** Sends a datagram to a host; drops it while the socket is not open, or its queue is full. */
  send(hostId: string, datagram: Uint8Array): void;
  /** Aborted when the socket has ended, with an Error as reason. */
  readonly ended: AbortSignal;
  close(): void;
}

const connectMs = 15_000;

export function openCarrier({ centralUrl, tls, bearer, onDatagram }: CarrierOptions): CarrierSocket {
  const url = new URL(carrierPath, centralUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const webSocket = new WebSocket(url, {
    ...tls,
    headers: { authorization: `Bearer ${bearer}` },
    maxPayload: maxCarriedBytes + 256,
    perMessageDeflate: false,
    handshakeTimeout: connectMs,
    followRedirects: false,
  });
  const over = new AbortController();
  const end = (reason: string) => {
    if (over.signal.aborted) return;
    clearInterval(beat);
    over.abort(new Error(reason));
    webSocket.terminate();
  };
  let hasHeard = true;
  const beat = setInterval(() => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (!hasHeard) return end("central does not answer");
    hasHeard = false;
    webSocket.ping();
  }, linkTimes.pingMs + linkTimes.pongMs);
  beat.unref();
  let hold = () => {};
  webSocket.on("upgrade", ({ socket }) => (hold = writesTogether(socket)));
  webSocket.on("pong", () => (hasHeard = true));
  webSocket.on("message", (data, isBinary) => {
    hasHeard = true;
    const message = isBinary ? readCarried(bytesOf(data)) : undefined;
    if (message !== undefined) onDatagram(message.hostId, message.datagram);
  });
  webSocket.on("error", (error) => end(error.message));
  webSocket.on("close", (code) => end(`closed with code ${code}`));
  return {
    send(hostId, datagram) {
      const hasRoom = webSocket.readyState === webSocket.OPEN && webSocket.bufferedAmount < carrierQueueBytes;
      if (!hasRoom) return;
      hold();
      webSocket.send(carried(hostId, datagram));
    },
    ended: over.signal,
    close: () => end("not needed any more"),
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
