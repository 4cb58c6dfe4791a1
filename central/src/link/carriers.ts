/**
 * Carries datagrams between hosts that do not reach each other by UDP: one WebSocket of each such host, at
 * `/link/carrier`.
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { carrierPath, carrierQueueBytes, maxCarriedBytes, readCarried } from "@tijolo/protocol";
import { endSocket, refuseUpgrade, writesTogether } from "@tijolo/protocol/kit";
import { WebSocketServer, type WebSocket } from "ws";
import { closeInTime } from "./close-in-time.ts";
import { closeCodes, type LinkBounds, type LinkLogger } from "./link-options.ts";

export interface CarriersOptions {
  /** Returns the host whose living connection was given this bearer. */
  hostOfBearer: (bearer: string) => string | undefined;
  /** True when datagrams go between the two hosts now. */
  areNeighbours: (hostId: string, otherId: string) => boolean;
  bounds: Pick<LinkBounds, "pingMs" | "pongMs" | "maxCarriedFrames">;
  logger: Pick<LinkLogger, "info" | "warn">;
  /** Called with the socket of a carrier that was accepted. */
  vouch: (socket: Duplex) => void;
}

interface Carrier {
  hostId: string;
  bearer: string;
  webSocket: WebSocket;
  /** Must be called before datagrams are sent to the host. */
  hold: () => void;
  openedAtMs: number;
  heardAtMs: number;
  pingedAtMs: number;
  /** Beginning of the present tenth of a second, and the frames in it. */
  turnAtMs: number;
  frames: number;
  counts: {
    /** Datagrams of this host that went on to another one. */
    carried: number;
    /** Datagrams of this host for one that is no neighbour, or has no carrier. */
    refused: number;
    /** Datagrams for this host that did not fit into its queue. */
    dropped: number;
  };
}

const turnMs = 100;
/** Space for the id of a host and its length. */
const headBytes = 64;

export class Carriers {
  readonly #options: CarriersOptions;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: headBytes + maxCarriedBytes,
    perMessageDeflate: false,
    clientTracking: false,
    // A peer that pings and does not read would fill the memory with pongs.
    autoPong: false,
  });
  readonly #open = new Map<string, Carrier>();
  #isClosed = false;

  constructor(options: CarriersOptions) {
    this.#options = options;
  }

  /** Takes an upgrade of {@link carrierPath}; false for another path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if ((request.url ?? "").split("?", 1)[0] !== carrierPath) return false;
    socket.on("error", () => {}); // its 'close' is what counts
    const bearer = /^Bearer ([A-Za-z0-9_-]{1,1024})$/.exec(request.headers.authorization ?? "")?.[1];
    const hostId = bearer === undefined ? undefined : this.#options.hostOfBearer(bearer);
    if (this.#isClosed) refuseUpgrade(socket, "503 Service Unavailable");
    else if (bearer === undefined || hostId === undefined) refuseUpgrade(socket, "401 Unauthorized");
    else {
      let isAccepted = false;
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        isAccepted = true;
        this.#options.vouch(socket);
        this.#accept({ webSocket, hostId, bearer, hold: writesTogether(socket) });
      });
      if (!isAccepted) endSocket(socket);
    }
    return true;
  }

  /** Closes the carrier that was opened with this bearer, whose connection has ended. */
  endOfBearer(bearer: string): void {
    for (const carrier of this.#open.values())
      if (carrier.bearer === bearer) this.#end(carrier, closeCodes.refused, "the link has ended");
  }

  endOfHost(hostId: string, code: number, reason: string): void {
    const carrier = this.#open.get(hostId);
    if (carrier !== undefined) this.#end(carrier, code, reason);
  }

  /** Pings each peer, and cuts those that are silent or do not read; must be called periodically. */
  sweep(nowMs: number): void {
    const { pingMs, pongMs } = this.#options.bounds;
    for (const carrier of this.#open.values()) {
      if (nowMs - carrier.heardAtMs > pingMs + pongMs) this.#cut(carrier, "the peer is silent");
      else if (nowMs - carrier.pingedAtMs >= pingMs) {
        carrier.pingedAtMs = nowMs;
        carrier.webSocket.ping();
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const carrier of this.#open.values())
      this.#end(carrier, closeCodes.goingAway, "central is going away");
  }

  #accept(opened: Pick<Carrier, "webSocket" | "hostId" | "bearer" | "hold">): void {
    const { webSocket, hostId } = opened;
    this.endOfHost(hostId, closeCodes.replaced, "replaced by a newer carrier of this host");
    const nowMs = performance.now();
    const times = { openedAtMs: nowMs, heardAtMs: nowMs, pingedAtMs: nowMs, turnAtMs: nowMs };
    const counts = { carried: 0, refused: 0, dropped: 0 };
    const carrier: Carrier = { ...opened, ...times, frames: 0, counts };
    this.#open.set(hostId, carrier);
    this.#options.logger.info({ hostId }, "carrier open");
    webSocket.on("message", (data, isBinary) => {
      this.#hear(carrier);
      this.#take(carrier, isBinary && Buffer.isBuffer(data) ? data : undefined);
    });
    webSocket.on("pong", () => this.#hear(carrier));
    webSocket.on("ping", (data) => {
      this.#hear(carrier);
      if (this.#hasRoom(carrier)) webSocket.pong(data);
    });
    webSocket.on("error", (error) => {
      this.#options.logger.warn({ hostId, err: error }, "carrier: a frame that is none, or too large");
      this.#end(carrier, closeCodes.malformed, "no frame");
    });
    webSocket.on("close", () => this.#forget(carrier));
  }

  /** Sends a datagram on. Like a router, it says nothing to the sender of one that is dropped. */
  #take(carrier: Carrier, message: Buffer | undefined): void {
    if (this.#open.get(carrier.hostId) !== carrier) return;
    const read = message && readCarried(message);
    if (message === undefined || read === undefined) {
      this.#options.logger.warn({ hostId: carrier.hostId }, "carrier: a message that is no datagram");
      return this.#end(carrier, closeCodes.malformed, "no datagram");
    }
    const target = this.#open.get(read.hostId);
    if (target === undefined || !this.#options.areNeighbours(carrier.hostId, read.hostId))
      carrier.counts.refused += 1;
    else if (!this.#hasRoom(target)) target.counts.dropped += 1;
    else {
      carrier.counts.carried += 1;
      // In the same bytes: ids have one length, and a copy costs more than all else here.
      message.write(carrier.hostId, 1, "latin1");
      target.hold();
      target.webSocket.send(message, { binary: true });
    }
  }

  /** Notes a frame. A host that sends more than its share is not read for the rest of the turn. */
  #hear(carrier: Carrier): void {
    const { webSocket } = carrier;
    const nowMs = performance.now();
    carrier.heardAtMs = nowMs;
    if (nowMs - carrier.turnAtMs >= turnMs) {
      carrier.turnAtMs = nowMs;
      carrier.frames = 0;
    }
    carrier.frames += 1;
    if (carrier.frames < this.#options.bounds.maxCarriedFrames || webSocket.isPaused) return;
    webSocket.pause();
    setTimeout(() => webSocket.resume(), carrier.turnAtMs + turnMs - nowMs).unref();
  }

  #hasRoom({ webSocket }: Carrier): boolean {
    return webSocket.bufferedAmount <= carrierQueueBytes;
  }

  #end(carrier: Carrier, code: number, reason: string): void {
    this.#forget(carrier);
    closeInTime(carrier.webSocket, code, reason);
  }

  #cut(carrier: Carrier, reason: string): void {
    if (this.#open.get(carrier.hostId) === carrier)
      this.#options.logger.warn({ hostId: carrier.hostId, reason }, "carrier cut");
    this.#forget(carrier);
    carrier.webSocket.terminate();
  }

  #forget(carrier: Carrier): void {
    const { hostId, openedAtMs, counts } = carrier;
    if (this.#open.get(hostId) !== carrier) return;
    this.#open.delete(hostId);
    const livedMs = Math.round(performance.now() - openedAtMs);
    this.#options.logger.info({ hostId, livedMs, ...counts }, "carrier closed");
  }
}
