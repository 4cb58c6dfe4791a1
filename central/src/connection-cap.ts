/**
 * Limits a server's connections to its budget: one that is over the whole, or over its network's share, is
 * closed at once.
 */

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Shares, type ShareBounds } from "@tijolo/protocol/kit";
import { networkOf } from "./app/identity/client-network.ts";
import type { TrustedProxies } from "./app/identity/trusted-proxies.ts";

export interface ConnectionCap {
  /** The server that is held to the budget; it may be opened from now on. */
  readonly server: Server;
  /** Stops counting a connection as a stranger's: its other side has proved to be an agent. */
  vouch(socket: Duplex): void;
}

/**
 * Must be called before the server listens. A trusted proxy, and a gateway once it has proved itself, has no
 * share of its own, because it speaks for many clients.
 */
export function capConnections(server: Server, bounds: ShareBounds, proxies: TrustedProxies): ConnectionCap {
  const shares = new Shares(bounds);
  const leaves = new WeakMap<Duplex, () => void>();
  /** By the peer's address and port: what TLS makes of a socket is another object. */
  const open = new Map<string, () => void>();
  server.on("secureConnection", (socket: Socket) => {
    const leave = open.get(peerOf(socket));
    if (leave !== undefined) leaves.set(socket, leave);
  });
  server.on("connection", (socket) => {
    const { remoteAddress = "unknown" } = socket;
    const leave = shares.take(proxies.trusts(remoteAddress) ? null : networkOf(remoteAddress));
    if (leave === undefined) return void socket.destroy();
    leaves.set(socket, leave);
    const peer = peerOf(socket);
    open.set(peer, leave);
    socket.once("close", () => {
      if (open.get(peer) === leave) open.delete(peer);
      leave();
    });
  });
  const vouch = (socket: Duplex) => leaves.get(socket)?.();
  const vouchForGateway = (request: IncomingMessage) => {
    if (proxies.isOfGateway(request)) vouch(request.socket);
  };
  server.on("request", vouchForGateway).on("upgrade", vouchForGateway);
  return { server, vouch };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
