/**
 * Tracks the authenticated connections of all hosts: for each host and kind of socket the newest one, and no
 * other.
 */

import type { LinkSocket } from "@tijolo/protocol";
import type { LinkBackend } from "../app/host-projects/link-backend.ts";
import type { HostStreams } from "./host-streams.ts";
import { closeCodes } from "./link-options.ts";

/** One authenticated connection of a host. */
export interface HostConnection {
  /** Proves to the archive downloads which host sends a request, while the connection lives. */
  readonly bearer: string;
  /** True when the hello was accepted and its effects are in place. */
  readonly isWelcome: boolean;
  /** The link protocol that both sides speak; 0 before the hello. */
  readonly protocol: number;
  /** The requests of central to the host, when this is a bulk connection. */
  readonly streams: HostStreams;
  /** Cuts the WebSocket and revokes every right at once. */
  end(code: number, reason: string): void;
}

export class HostConnections {
  readonly #backend: LinkBackend;
  readonly #onEnd: (bearer: string) => void;
  readonly #hosts = new Map<string, HostSockets>();
  readonly #hostByBearer = new Map<string, string>();

  /** `onEnd` is called with the bearer of a connection that has ended. */
  constructor(backend: LinkBackend, onEnd: (bearer: string) => void) {
    this.#backend = backend;
    this.#onEnd = onEnd;
  }

  /** Makes this the host's connection; an earlier one of the same kind is closed. */
  admit(connection: HostConnection, hostId: string, socket: LinkSocket): void {
    const sockets = this.#hosts.get(hostId) ?? { control: undefined, bulk: undefined, isAnnounced: false };
    this.#hosts.set(hostId, sockets);
    const earlier = sockets[socket];
    sockets[socket] = connection;
    this.#hostByBearer.set(connection.bearer, hostId);
    earlier?.end(closeCodes.replaced, "replaced by a newer connection of this host");
  }

  /** Announces the control connection to the rules; its end will be announced as well. */
  announce(hostId: string): void {
    const sockets = this.#hosts.get(hostId);
    if (sockets !== undefined) sockets.isAnnounced = true;
  }

  /** Must be called when an admitted connection has ended. */
  remove(connection: HostConnection, hostId: string, socket: LinkSocket): void {
    this.#hostByBearer.delete(connection.bearer);
    this.#onEnd(connection.bearer);
    const sockets = this.#hosts.get(hostId);
    if (sockets === undefined || sockets[socket] !== connection) return;
    sockets[socket] = undefined;
    const wasAnnounced = sockets.isAnnounced;
    if (socket === "control") sockets.isAnnounced = false;
    if (sockets.control === undefined && sockets.bulk === undefined) this.#hosts.delete(hostId);
    if (socket === "control" && wasAnnounced) this.#backend.hostDisconnected(hostId);
  }

  find(hostId: string, socket: LinkSocket): HostConnection | undefined {
    return this.#hosts.get(hostId)?.[socket];
  }

  /** Returns the host whose living connection was given this bearer. */
  hostOfBearer(bearer: string): string | undefined {
    return this.#hostByBearer.get(bearer);
  }
}

interface HostSockets {
  control: HostConnection | undefined;
  bulk: HostConnection | undefined;
  isAnnounced: boolean;
}
