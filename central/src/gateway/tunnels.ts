/**
 * The tunnels of all hosts: takes the agents' connections and keeps the newest of each host as an HTTP/2
 * client session.
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

export interface Tunnels {
  /**
   * Takes an HTTP/1.1 upgrade of the link's server. False when the path is not the tunnel's: then nothing was
   * touched.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** The host's newest session that is ready for requests. */
  open(hostId: string): ClientHttp2Session | undefined;
  /** Like `open`, but waits for a host that is just reconnecting. Undefined after `timeoutMs`. */
  opened(hostId: string, timeoutMs: number): Promise<ClientHttp2Session | undefined>;
  /** Cuts a host off at once (revoked). */
  disconnect(hostId: string): void;
  close(): void;
}

export interface TunnelsOptions {
  /** The host whose link's welcome carried this bearer. */
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
 * An answer that arrives broken is one site's, but is counted for the tunnel, which all sites of the host
 * share. Node reads this for clients too; its types know it for servers alone.
 */
const patience = { maxSessionInvalidFrames: 1_000_000 };
const maxWaiters = 10_000;
/** Requests under way on a tunnel that was replaced get this long. */
const replacedGraceMs = 5_000;

export function createTunnels({
  hostOfBearer,
  logger,
  clock,
  vouch,
  times: overrides,
}: TunnelsOptions): Tunnels {
  const times = { ...tunnelTimes, ...overrides };
  const ready = new Map<string, Tunnel>();
  /** Every live connection, also those in their handshake and those that were replaced. */
  const all = new Map<Tunnel, string>();
  const waiters = new Map<string, Set<() => void>>();
  let waiterCount = 0;
  let isClosed = false;

  function accept(hostId: string, socket: Duplex): void {
    const session = connect("http://tunnel.invalid", {
      createConnection: () => socket,
      settings: {
        enablePush: false,
        initialWindowSize: streamWindowBytes,
        maxHeaderListSize: maxTunnelHeaderBytes,
      },
      maxSessionMemory: 512,
      maxHeaderListPairs: 512,
      maxReservedRemoteStreams: 0,
      ...patience,
    });
    const tunnel: Tunnel = { session, socket, openedAt: clock.now() };
    all.set(tunnel, hostId);
    const handshake = setTimeout(() => cut(tunnel, "handshake took too long"), times.handshakeMs);
    session.on("error", (error) => logger.info({ hostId, err: error }, "tunnel broke"));
    session.once("connect", () => session.setLocalWindowSize(connectionWindowBytes));
    session.once("remoteSettings", () => {
      clearTimeout(handshake);
      install(hostId, tunnel);
    });
    watchPeer(session, socket, { ...times, onSilent: () => cut(tunnel, "peer is silent") });
    const forget = () => {
      clearTimeout(handshake);
      if (!all.delete(tunnel)) return;
      if (ready.get(hostId) === tunnel) ready.delete(hostId);
      session.destroy();
      socket.destroy();
      logger.info({ hostId, livedMs: clock.now() - tunnel.openedAt }, "tunnel closed");
    };
    session.once("close", forget);
    socket.once("close", forget);
  }

  function install(hostId: string, tunnel: Tunnel): void {
    if (!all.has(tunnel)) return;
    const older = ready.get(hostId);
    if (older !== undefined && older.openedAt > tunnel.openedAt) return cut(tunnel, "a newer tunnel is open");
    ready.set(hostId, tunnel);
    logger.info({ hostId }, "tunnel open");
    if (older !== undefined) retire(older);
    for (const wake of waiters.get(hostId) ?? []) wake();
  }

  /** The newest connection wins; what is under way on the older one may finish, for a short while. */
  function retire(tunnel: Tunnel): void {
    tunnel.session.close();
    const timer = setTimeout(() => cut(tunnel, "replaced by a newer tunnel"), replacedGraceMs);
    tunnel.session.once("close", () => clearTimeout(timer));
  }

  function cut(tunnel: Tunnel, reason: string): void {
    const hostId = all.get(tunnel);
    if (hostId === undefined) return;
    logger.warn({ hostId, reason }, "tunnel cut");
    tunnel.session.destroy();
    tunnel.socket.destroy();
  }

  function open(hostId: string): ClientHttp2Session | undefined {
    const session = ready.get(hostId)?.session;
    return session === undefined || session.closed || session.destroyed ? undefined : session;
  }

  return {
    handleUpgrade(request, socket, head) {
      if ((request.url ?? "").split("?", 1)[0] !== tunnelPath) return false;
      socket.on("error", () => {}); // its 'close' is what counts
      const token = /^Bearer (\S{1,1024})$/i.exec(request.headers.authorization ?? "")?.[1];
      const hostId = token === undefined ? undefined : hostOfBearer(token);
      if (isClosed) refuseUpgrade(socket, "503 Service Unavailable");
      else if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== tunnelProtocol)
        refuseUpgrade(socket, "400 Bad Request");
      else if (hostId === undefined) refuseUpgrade(socket, "401 Unauthorized");
      else {
        if ("setTimeout" in socket && typeof socket.setTimeout === "function") socket.setTimeout(0);
        if ("setNoDelay" in socket && typeof socket.setNoDelay === "function") socket.setNoDelay(true);
        if (head.length > 0) socket.unshift(head);
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${tunnelProtocol}\r\n\r\n`,
        );
        vouch(socket);
        accept(hostId, socket);
      }
      return true;
    },

    open,

    opened(hostId, timeoutMs) {
      const session = open(hostId);
      if (session !== undefined || isClosed || waiterCount >= maxWaiters) return Promise.resolve(session);
      return new Promise((resolve) => {
        const ofHost = waiters.get(hostId) ?? new Set();
        waiters.set(hostId, ofHost);
        waiterCount += 1;
        const wake = () => {
          clearTimeout(timer);
          waiterCount -= 1;
          ofHost.delete(wake);
          if (ofHost.size === 0 && waiters.get(hostId) === ofHost) waiters.delete(hostId);
          resolve(open(hostId));
        };
        const timer = setTimeout(wake, timeoutMs);
        ofHost.add(wake);
      });
    },

    disconnect(hostId) {
      for (const [tunnel, owner] of all) if (owner === hostId) cut(tunnel, "host was disconnected");
    },

    close() {
      isClosed = true;
      for (const tunnel of all.keys()) cut(tunnel, "central is closing");
      for (const ofHost of waiters.values()) for (const wake of ofHost) wake();
    },
  };
}
