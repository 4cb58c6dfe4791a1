/**
 * Serves central's end of the link: WebSockets of the agents at `/link`, those that carry datagrams between them
 * at `/link/carrier`, archives for them at `/link/archives/<sha256>`.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  AppError,
  hostRequests,
  linkProtocol,
  type HostItem,
  type HostQuestionOf,
  type HostRequestKind,
} from "@tijolo/protocol";
import { endSocket, poll, refuseUpgrade, Shares } from "@tijolo/protocol/kit";
import { WebSocketServer, type WebSocket } from "ws";
import type { LinkSite } from "./agent-connection.ts";
import { ArchiveDownloads } from "./archive-downloads.ts";
import { Carriers } from "./carriers.ts";
import { HostConnections, type HostConnection } from "./host-connections.ts";
import { OlderAgentError, type HostLink } from "../app/hosts/host-link.ts";
import { networkOf } from "../app/identity/client-network.ts";
import { closeCodes, defaultLinkBounds, type LinkOptions } from "./link-options.ts";
import { reachableAddressOf } from "./reachable-address.ts";
import { RefusalLog } from "./refusal-log.ts";
import { serveLinkSocket, type LinkSocketHandle } from "./link-socket.ts";

const bulkPollMs = 50;

export class LinkServer implements HostLink {
  readonly #options: LinkOptions;
  readonly #site: LinkSite;
  readonly #strangers: Shares;
  readonly #webSockets: WebSocketServer;
  readonly #downloads: ArchiveDownloads;
  readonly #carriers: Carriers;
  readonly #sockets = new Set<LinkSocketHandle>();
  readonly #sweeper: NodeJS.Timeout;
  #whenEmpty: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LinkOptions) {
    const { backend, logger, random, protocol = linkProtocol } = options;
    const bounds = { ...defaultLinkBounds, ...options.bounds };
    this.#options = options;
    this.#site = {
      backend,
      gateways: options.gateways,
      mesh: options.mesh,
      random,
      logger,
      bounds,
      protocol,
      hosts: new HostConnections(backend, (bearer) => this.#carriers.endOfBearer(bearer)),
      refusals: new RefusalLog(logger),
      sentSets: new Map(),
    };
    this.#strangers = new Shares({
      inAll: bounds.maxStrangers,
      perKey: bounds.maxStrangersPerNetwork,
    });
    this.#webSockets = new WebSocketServer({
      noServer: true,
      maxPayload: bounds.maxFrameBytes,
      perMessageDeflate: false,
      clientTracking: false,
    });
    const hostOfBearer = (bearer: string) => this.hostOfBearer(bearer);
    this.#downloads = new ArchiveDownloads({ backend, bounds, logger, hostOfBearer });
    const areNeighbours = (hostId: string, otherId: string) =>
      options.mesh?.areNeighbours(hostId, otherId) === true;
    this.#carriers = new Carriers({ hostOfBearer, areNeighbours, bounds, logger, vouch: options.vouch });
    const sweep = () => {
      this.#carriers.sweep(performance.now());
      for (const handle of this.#sockets) handle.sweep(performance.now());
    };
    this.#sweeper = setInterval(sweep, Math.min(1_000, bounds.writeMs / 4)).unref();
  }

  /** Takes an upgrade of `/link` or `/link/carrier`; false for another path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (this.#options.mesh !== undefined && this.#carriers.handleUpgrade(request, socket, head)) return true;
    if (pathOf(request) !== "/link") return false;
    socket.on("error", () => {}); // its 'close' is what counts
    if (!hasReadableUrl(request)) {
      refuseUpgrade(socket, "400 Bad Request");
      return true;
    }
    const from = this.#options.addressOf(request);
    const network = networkOf(from);
    const leave = this.#isClosed ? undefined : this.#strangers.take(network);
    if (leave === undefined) {
      if (!this.#isClosed) this.#noteStrangers(network);
      refuseUpgrade(socket, "503 Service Unavailable");
      return true;
    }
    socket.once("close", leave);
    let isAccepted = false;
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      isAccepted = true;
      const welcomed = () => {
        leave();
        this.#options.vouch(socket);
      };
      this.#serve(webSocket, { request, network, address: reachableAddressOf(from), welcomed });
    });
    if (!isAccepted) endSocket(socket);
    return true;
  }

  /** Takes a request for an archive; false for another path. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    return this.#downloads.handle(request, response);
  }

  /** Returns the host that a bearer of the link (welcome) speaks for, as long as its connection lives. */
  hostOfBearer(bearer: string): string | undefined {
    return this.#site.hosts.hostOfBearer(bearer);
  }

  disconnect(hostId: string): void {
    this.#carriers.endOfHost(hostId, closeCodes.revoked, "revoked");
    for (const { connection } of this.#sockets) {
      if (connection.hostId === hostId) connection.end(closeCodes.revoked, "revoked");
    }
    this.#downloads.endOf(hostId);
    this.#site.sentSets.delete(hostId);
  }

  disconnectGateway(gatewayId: string): void {
    for (const { connection } of this.#sockets) {
      if (connection.gatewayId === gatewayId) connection.end(closeCodes.revoked, "revoked");
    }
  }

  async *ask<Kind extends HostRequestKind>(
    hostId: string,
    request: HostQuestionOf<Kind>,
    signal: AbortSignal,
  ): AsyncIterable<HostItem<Kind>[]> {
    const bulk = await this.#findBulk(hostId, signal);
    if (bulk.protocol < hostRequests[request.kind].since) throw new OlderAgentError();
    yield* bulk.streams.ask(request, signal);
  }

  /** Ends all connections and downloads; resolves when they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#site.refusals.flush();
    this.#carriers.close();
    for (const { connection } of this.#sockets) connection.end(closeCodes.goingAway, "central is going away");
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
      if (this.#sockets.size === 0) resolve();
    });
    await Promise.all([empty, this.#downloads.close()]);
  }

  #serve(
    webSocket: WebSocket,
    peer: { request: IncomingMessage; network: string; address: string | null; welcomed: () => void },
  ): void {
    const handle = serveLinkSocket({ site: this.#site, server: this.#webSockets, webSocket, ...peer });
    this.#sockets.add(handle);
    webSocket.on("close", () => {
      this.#sockets.delete(handle);
      if (this.#sockets.size === 0) this.#whenEmpty?.();
    });
  }

  #noteStrangers(network: string): void {
    this.#site.refusals.note(
      network,
      { strangers: this.#strangers.taken },
      "link: connection refused, too many have not said hello",
    );
  }

  /**
   * Returns the host's bulk connection; when a host has just come back, it may be a moment behind the control
   * connection.
   */
  async #findBulk(hostId: string, signal: AbortSignal): Promise<HostConnection> {
    const { hosts, bounds } = this.#site;
    const find = () => {
      const bulk = hosts.find(hostId, "bulk");
      if (bulk?.isWelcome === true) return bulk;
      if (hosts.find(hostId, "control")?.isWelcome === true) return undefined;
      throw new AppError("server_unavailable");
    };
    const bulk = await poll(find, { timeoutMs: bounds.firstAnswerMs, everyMs: bulkPollMs, signal });
    if (bulk === undefined) throw new AppError("server_unavailable");
    return bulk;
  }
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

/**
 * True when the URL can be read: the WebSocket adapter reads it with its Host header, and throws out of an
 * event handler when it cannot.
 */
function hasReadableUrl({ url = "", headers: { host = "localhost" } }: IncomingMessage): boolean {
  return URL.canParse(url, `http://${host}`);
}
