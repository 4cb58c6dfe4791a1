/**
 * Builds the front that TLS passes where authorities prove names over TLS (`tls-alpn-01`, RFC 8737). HAProxy chooses
 * a certificate by its name alone, so those who speak `acme-tls/1` have to leave before TLS begins. All others go on
 * to the frontend of the visitors by one hop more, which other clusters do not have.
 */

import { acmeTlsProtocol } from "@tijolo/protocol";

/** Connections of authorities, or of those who speak as one, at the same time. */
const maxProofs = 32;

export interface TlsFrontParts {
  /** Directory of the sockets, as HAProxy sees it once it serves. */
  inside: string;
  httpsListen: string;
  /** Rules of a connection from outside: whom they trust, and what an address may have. */
  connectionRules: string;
}

/** Returns the socket at which the visitors' frontend takes what the front hands on. */
export function behindFront(run: string, owner: string): string {
  return `unix@${run}/tls accept-proxy mode 600${owner}`;
}

export function tlsFront({ inside, httpsListen, connectionRules }: TlsFrontParts): string {
  return `frontend tls
    mode tcp
    bind ${httpsListen}
${connectionRules}
    tcp-request inspect-delay 10s
    tcp-request content accept if { req.ssl_hello_type 1 }
    tcp-request content reject
    use_backend proofs if { req.ssl_alpn -m str ${acmeTlsProtocol} }
    default_backend tls

backend tls
    mode tcp
    server visitors unix@${inside}/tls send-proxy-v2

backend proofs
    mode tcp
    timeout queue 5s
    timeout tunnel 10s
    server gateway unix@${inside}/proofs maxconn ${maxProofs}

`;
}
