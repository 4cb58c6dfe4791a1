/**
 * Binds the link's signatures to the TLS connection they are made for, so that nobody who sits between can
 * relay them (RFC 9266).
 */

import type { TLSSocket } from "node:tls";

/** Name in the certificate of central's end, whatever address agents reach it at. */
export const linkServerName = "central.localhost";

const label = "EXPORTER-tijolo-link";
const keyBytes = 32;

/** Returns what only the two ends of this connection know, base64url. */
export function linkChannelOf(socket: TLSSocket): string {
  return socket.exportKeyingMaterial(keyBytes, label, Buffer.alloc(0)).toString("base64url");
}
