/**
 * Central's end of the link: WebSockets of the agents at `/link`, archives for them at
 * `/link/archives/<sha256>`.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError, hostRequests, linkProtocol } from "@tijolo/protocol";
import { endSocket, poll, refuseUpgrade } from "@tijolo/protocol/kit";
import { WebSocketServer } from "ws";
import type { LinkSite } from "./agent-connection.ts";
import { ArchiveDownloads } from "./archive-downloads.ts";
import { HostConnections, type HostConnection } from "./host-connections.ts";
import { OlderAgentError, type HostLink } from "../app/hosts/host-link.ts";
import { networkOf } from "../app/identity/client-network.ts";
import { NetworkPlaces } from "../app/identity/network-places.ts";
import { closeCodes, defaultLinkBounds, type LinkOptions } from "./link-options.ts";
import { RefusalLog } from "./refusal-log.ts";
import { serveLinkSocket, type LinkSocketHandle } from "./link-socket.ts";

const bulkPollMs = 50;

export interface LinkServer extends HostLink {
  /** Takes an upgrade of `/link`; false when it is somebody else's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Takes a request for an archive; false when it is somebody else's. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean;
  /** The host that a bearer of the link (welcome) speaks for, as long as its connection lives. */
  hostOfBearer(bearer: string): string | undefined;
  /** Ends all connections and downloads; resolves when they are gone. */
  close(): Promise<void>;
}

export function createLinkServer(options: LinkOptions): LinkServer {
  const bounds = { ...defaultLinkBounds, ...options.bounds };
  const { backend, logger, random, protocol = linkProtocol } = options;
  const hosts = new HostConnections(backend);
  const refusals = new RefusalLog(logger);
  const strangers = new NetworkPlaces({
    inAll: bounds.maxStrangers,
    perNetwork: bounds.maxStrangersPerNetwork,
  });
  const site: LinkSite = { backend, random, logger, bounds, protocol, hosts, refusals, sentSets: new Map() };
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: bounds.maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const downloads = new ArchiveDownloads({
    backend,
    bounds,
    logger,
    hostOfBearer: (bearer) => hosts.hostOfBearer(bearer),
  });
  const sockets = new Set<LinkSocketHandle>();
  let whenEmpty: (() => void) | undefined;
  let isClosed = false;
  const sweeper = setInterval(
    () => {
      for (const handle of sockets) handle.sweep(performance.now());
    },
    Math.min(1_000, bounds.writeMs / 4),
  );
  sweeper.unref();

  /** Of a host that has just come back, the bulk connection may be a moment behind the control connection. */
  async function findBulk(hostId: string, signal: AbortSignal): Promise<HostConnection> {
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

  return {
    handleUpgrade(request, socket, head) {
      if (pathOf(request) !== "/link") return false;
      socket.on("error", () => {}); // its 'close' is what counts
      if (!hasReadableUrl(request)) {
        refuseUpgrade(socket, "400 Bad Request");
        return true;
      }
      const network = networkOf(options.addressOf(request));
      const leave = isClosed ? undefined : strangers.take(network);
      if (leave === undefined) {
        if (!isClosed)
          refusals.note(
            network,
            { strangers: strangers.taken },
            "link: connection refused, too many have not said hello",
          );
        refuseUpgrade(socket, "503 Service Unavailable");
        return true;
      }
      socket.once("close", leave);
      let isAccepted = false;
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        isAccepted = true;
        const welcomed = () => {
          leave();
          options.vouch(socket);
        };
        const handle = serveLinkSocket({ site, server: webSockets, webSocket, request, network, welcomed });
        sockets.add(handle);
        webSocket.on("close", () => {
          sockets.delete(handle);
          if (sockets.size === 0) whenEmpty?.();
        });
      });
      if (!isAccepted) endSocket(socket);
      return true;
    },
    handleRequest: (request, response) => downloads.handle(request, response),
    hostOfBearer: (bearer) => hosts.hostOfBearer(bearer),
    disconnect(hostId) {
      for (const { connection } of sockets) {
        if (connection.hostId === hostId) connection.end(closeCodes.revoked, "revoked");
      }
      downloads.endOf(hostId);
      site.sentSets.delete(hostId);
    },
    async *ask(hostId, request, signal) {
      const bulk = await findBulk(hostId, signal);
      if (bulk.protocol < hostRequests[request.kind].since) throw new OlderAgentError();
      yield* bulk.streams.ask(request, signal);
    },
    async close() {
      isClosed = true;
      clearInterval(sweeper);
      refusals.flush();
      for (const { connection } of sockets) connection.end(closeCodes.goingAway, "central is going away");
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (sockets.size === 0) resolve();
      });
      await Promise.all([empty, downloads.close()]);
    },
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

/**
 * The WebSocket adapter reads the URL with its Host header, and throws out of an event handler when it
 * cannot.
 */
function hasReadableUrl({ url = "", headers: { host = "localhost" } }: IncomingMessage): boolean {
  return URL.canParse(url, `http://${host}`);
}
