/**
 * Builds the front that TLS passes where authorities prove names over TLS (`tls-alpn-01`, RFC 8737). HAProxy chooses
 * a certificate by its name alone, so those who speak `acme-tls/1` have to leave before TLS begins. All others go on
 * to the frontend of the visitors by one hop more, which other clusters do not have.
 */

import { acmeTlsProtocol } from "@tijolo/protocol";

/** Connections of authorities, or of those who speak as one, at the same time. */
const maxProofs = 512;
/** Sockets that a visitor has behind the front: its own, and both ends of the hop. */
const socketsOfVisitor = 3;

export interface TlsFrontParts {
  /** Directory of the sockets, as HAProxy sees it once it serves. */
  inside: string;
  httpsListen: string;
  /** Descriptors that visitors may have in all. */
  descriptors: number;
  /** Rules of a connection from outside: whom they trust, and what an address may have. */
  connectionRules: string;
}

/** Returns the socket at which the visitors' frontend takes what the front hands on. */
export function behindFront(run: string, owner: string): string {
  return `unix@${run}/tls accept-proxy mode 600${owner}`;
}

/**
 * Returns the front and where it leads. Both sides of a connection end within seconds of each other: else whoever does
 * not close its side would hold three sockets for an hour.
 */
export function tlsFront({ inside, httpsListen, descriptors, connectionRules }: TlsFrontParts): string {
  return `frontend tls
    mode tcp
    bind ${httpsListen}
    maxconn ${Math.floor(descriptors / socketsOfVisitor)}
    timeout client-fin 10s
${connectionRules}
    tcp-request inspect-delay 10s
    tcp-request content accept if { req.ssl_hello_type 1 }
    tcp-request content reject
    use_backend proofs if { req.ssl_alpn -m str ${acmeTlsProtocol} }
    default_backend tls

backend tls
    mode tcp
    timeout server-fin 10s
    server visitors unix@${inside}/tls send-proxy-v2

backend proofs
    mode tcp
    timeout queue 5s
    timeout tunnel 10s
    server gateway unix@${inside}/proofs maxconn ${maxProofs}

`;
}
