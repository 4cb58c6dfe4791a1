/** Serves the link over TLS with a certificate of the cluster's own authority, which agents pin. */

import { createServer, type Server } from "node:https";
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { serverHeader } from "@tijolo/protocol";
import { linkChannelOf } from "@tijolo/protocol/kit";
import { visitTimes } from "../pages-server/visit-times.ts";
import { isWebSocket, maxVisitorHeaderBytes } from "../pages-server/visitor-requests.ts";

/** A certificate with its key, both in PEM. */
export interface LinkCertificate {
  chain: string;
  privateKey: string;
  endsAt: number;
}

/** Creates the server, which does not listen yet. It takes what gateways send on of their visitors, too. */
export function createLinkServer(certificate: LinkCertificate): Server {
  const server = createServer({
    ...contextOf(certificate),
    minVersion: "TLSv1.3",
    maxHeaderSize: maxVisitorHeaderBytes,
    requestTimeout: 0, // a large upload takes as long as it takes
    keepAliveTimeout: visitTimes.keepAliveMs, // longer than HAProxy keeps a connection
    // Agents upgrade to more than WebSockets.
    shouldUpgradeCallback: (request) => request.headers[serverHeader] === undefined || isWebSocket(request),
  });
  server.maxHeadersCount = 0; // counted for each visit: what is over Node's own limit would be dropped in silence
  return server;
}

/** Has new connections get another certificate; those that are open stay. */
export function renewCertificate(server: Server, certificate: LinkCertificate): void {
  server.setSecureContext({ ...contextOf(certificate), minVersion: "TLSv1.3" });
}

/** Returns what binds a signature to this connection; undefined for one without TLS of our own. */
export function channelOf({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? linkChannelOf(socket) : undefined;
}

function contextOf({ chain, privateKey }: LinkCertificate) {
  return { cert: chain, key: privateKey };
}
