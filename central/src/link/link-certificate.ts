/** Serves the link over TLS with a certificate of the cluster's own authority, which agents pin. */

import { createServer, type Server } from "node:https";
import type { IncomingMessage, RequestListener } from "node:http";
import { TLSSocket } from "node:tls";
import { linkChannelOf } from "@tijolo/protocol/kit";

/** A certificate with its key, both in PEM. */
export interface LinkCertificate {
  chain: string;
  privateKey: string;
  endsAt: number;
}

/** Creates the server, which does not listen yet. */
export function createLinkServer(certificate: LinkCertificate, listener: RequestListener): Server {
  return createServer({ ...contextOf(certificate), minVersion: "TLSv1.3" }, listener);
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
