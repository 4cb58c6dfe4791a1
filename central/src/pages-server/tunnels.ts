/**
 * Manages the tunnels of all hosts: takes the agents' connections and keeps the newest of each host as an
 * HTTP/2 client session.
 */

import type { IncomingMessage } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import {
  connectionWindowBytes,
  maxTunnelHeaderBytes,
  streamWindowBytes,
  tunnelPath,
  tunnelProtocol,
  tunnelTimes,
  type TunnelTimes,
} from "@tijolo/protocol";
import { refuseUpgrade, watchPeer } from "@tijolo/protocol/kit";

export interface TunnelsOptions {
  /** Returns the host whose link's welcome carried this bearer. */
  hostOfBearer: (token: string) => string | undefined;
  logger: Pick<Logger, "info" | "warn">;
  clock: { now(): number };
  /** Called with the socket of a tunnel that was accepted. */
  vouch: (socket: Duplex) => void;
  times?: Partial<TunnelTimes>;
}

interface Tunnel {
  session: ClientHttp2Session;
  socket: Duplex;
  openedAt: number;
}

/**
 * Number of invalid frames that a tunnel tolerates. An answer that arrives broken is one site's, but is
 * counted for the tunnel, which all sites of the host share. Node reads this for clients too; its types know
 * it for servers alone.
 */
const patience = { maxSessionInvalidFrames: 1_000_000 };
const sessionOptions = {
  settings: {
    enablePush: false,
    initialWindowSize: streamWindowBytes,
    maxHeaderListSize: maxTunnelHeaderBytes,
  },
  maxSessionMemory: 512,
  maxHeaderListPairs: 512,
  maxReservedRemoteStreams: 0,
  ...patience,
};
const maxWaiters = 10_000;
/** Milliseconds that requests in progress get on a tunnel that was replaced. */
const replacedGraceMs = 5_000;

export class Tunnels {
  readonly #options: TunnelsOptions;
  readonly #times: TunnelTimes;
  readonly #ready = new Map<string, Tunnel>();
  /** All live connections, also those in their handshake and those that were replaced. */
  readonly #all = new Map<Tunnel, string>();
  readonly #waiters = new Map<string, Set<() => void>>();
  #waiterCount = 0;
  #isClosed = false;

  constructor(options: TunnelsOptions) {
    this.#options = options;
    this.#times = { ...tunnelTimes, ...options.times };
  }

  /**
   * Takes an HTTP/1.1 upgrade of the link's server. Returns false when the path is not the tunnel's: then
   * nothing was touched.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if ((request.url ?? "").split("?", 1)[0] !== tunnelPath) return false;
    socket.on("error", () => {}); // its 'close' is what counts
    const token = /^Bearer (\S{1,1024})$/i.exec(request.headers.authorization ?? "")?.[1];
    const hostId = token === undefined ? undefined : this.#options.hostOfBearer(token);
    if (this.#isClosed) refuseUpgrade(socket, "503 Service Unavailable");
    else if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== tunnelProtocol)
      refuseUpgrade(socket, "400 Bad Request");
    else if (hostId === undefined) refuseUpgrade(socket, "401 Unauthorized");
    else {
      if ("setTimeout" in socket && typeof socket.setTimeout === "function") socket.setTimeout(0);
      if ("setNoDelay" in socket && typeof socket.setNoDelay === "function") socket.setNoDelay(true);
      if (head.length > 0) socket.unshift(head);
      const answer = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${tunnelProtocol}\r\n\r\n`;
      // Over TLS a session that takes the socket while a write is under way ends the whole process: Node's
      // assertion is_write_in_progress.
      socket.write(answer, () => {
        if (socket.destroyed) return;
        if (this.#isClosed || token === undefined || this.#options.hostOfBearer(token) !== hostId)
          return void socket.destroy();
        this.#options.vouch(socket);
        this.#accept(hostId, socket);
      });
    }
    return true;
  }

  /** Returns the host's newest session that is ready for requests. */
  open(hostId: string): ClientHttp2Session | undefined {
    const session = this.#ready.get(hostId)?.session;
    return session === undefined || session.closed || session.destroyed ? undefined : session;
  }

  /** Does what `open` does, but waits for a host that is just reconnecting. Undefined after `timeoutMs`. */
  opened(hostId: string, timeoutMs: number): Promise<ClientHttp2Session | undefined> {
    const session = this.open(hostId);
    if (session !== undefined || this.#isClosed || this.#waiterCount >= maxWaiters)
      return Promise.resolve(session);
    return new Promise((resolve) => {
      const ofHost = this.#waiters.get(hostId) ?? new Set();
      this.#waiters.set(hostId, ofHost);
      this.#waiterCount += 1;
      const wake = () => {
        clearTimeout(timer);
        this.#waiterCount -= 1;
        ofHost.delete(wake);
        if (ofHost.size === 0 && this.#waiters.get(hostId) === ofHost) this.#waiters.delete(hostId);
        resolve(this.open(hostId));
      };
      const timer = setTimeout(wake, timeoutMs);
      ofHost.add(wake);
    });
  }

  /** Cuts a revoked host off at once. */
  disconnect(hostId: string): void {
    for (const [tunnel, owner] of this.#all) if (owner === hostId) this.#cut(tunnel, "host was disconnected");
  }

  close(): void {
    this.#isClosed = true;
    for (const tunnel of this.#all.keys()) this.#cut(tunnel, "central is closing");
    for (const ofHost of this.#waiters.values()) for (const wake of ofHost) wake();
  }

  #accept(hostId: string, socket: Duplex): void {
    const { logger, clock } = this.#options;
    const session = connect("http://tunnel.invalid", {
      ...sessionOptions,
      createConnection: () => socket,
    });
    const tunnel: Tunnel = { session, socket, openedAt: clock.now() };
    this.#all.set(tunnel, hostId);
    const handshake = setTimeout(() => this.#cut(tunnel, "handshake took too long"), this.#times.handshakeMs);
    session.on("error", (error) => logger.info({ hostId, err: error }, "tunnel broke"));
    session.once("connect", () => session.setLocalWindowSize(connectionWindowBytes));
    session.once("remoteSettings", () => {
      clearTimeout(handshake);
      this.#install(hostId, tunnel);
    });
    watchPeer(session, socket, { ...this.#times, onSilent: () => this.#cut(tunnel, "peer is silent") });
    const forget = () => {
      clearTimeout(handshake);
      if (!this.#all.delete(tunnel)) return;
      if (this.#ready.get(hostId) === tunnel) this.#ready.delete(hostId);
      session.destroy();
      socket.destroy();
      logger.info({ hostId, livedMs: clock.now() - tunnel.openedAt }, "tunnel closed");
    };
    session.once("close", forget);
    socket.once("close", forget);
  }

  #install(hostId: string, tunnel: Tunnel): void {
    if (!this.#all.has(tunnel)) return;
    const older = this.#ready.get(hostId);
    if (older !== undefined && older.openedAt > tunnel.openedAt)
      return this.#cut(tunnel, "a newer tunnel is open");
    this.#ready.set(hostId, tunnel);
    this.#options.logger.info({ hostId }, "tunnel open");
    if (older !== undefined) this.#retire(older);
    for (const wake of this.#waiters.get(hostId) ?? []) wake();
  }

  /** Retires a tunnel that a newer connection replaces; its requests in progress may finish for a while. */
  #retire(tunnel: Tunnel): void {
    tunnel.session.close();
    const timer = setTimeout(() => this.#cut(tunnel, "replaced by a newer tunnel"), replacedGraceMs);
    tunnel.session.once("close", () => clearTimeout(timer));
  }

  #cut(tunnel: Tunnel, reason: string): void {
    const hostId = this.#all.get(tunnel);
    if (hostId === undefined) return;
    this.#options.logger.warn({ hostId, reason }, "tunnel cut");
    tunnel.session.destroy();
    tunnel.socket.destroy();
  }
}
