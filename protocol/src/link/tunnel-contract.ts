/**
 * Defines the agreement between gateway and ingress about the tunnel: HTTP/2 that the agent serves on a
 * connection which it dials.
 */

export const tunnelPath = "/link/tunnel";
export const tunnelProtocol = "tijolo-tunnel";

/** Names of headers that only Tijolo sets: they are dropped from what visitors and projects send. */
export const internalPrefix = "x-tijolo-";
/** Request header: the project that is meant. */
export const projectHeader = "x-tijolo-project";
/**
 * Response header: the answer is the ingress's own, and why; the gateway shows its page instead of the body.
 * Request header to the pages server: the gateway has reached the program itself, which failed in this way.
 */
export const failureHeader = "x-tijolo-failure";
/** Response header: the port on which the project was expected to listen. */
export const portHeader = "x-tijolo-port";

/**
 * Header of the response to an extended CONNECT: the project accepted the WebSocket. Any other response is an
 * ordinary answer to it.
 */
export const upgradedHeader = "x-tijolo-upgraded";

/**
 * Values of {@link failureHeader}. `not_here`: nothing of the site runs on the host, and nothing is about to.
 * `starting`: a run is about to take visits, and the visit was held for as long as one may be.
 */
export const ingressFailures = [
  "not_here",
  "starting",
  "not_listening",
  "bad_response",
  "timeout",
  "file_not_found",
  "overloaded",
] as const;
export type IngressFailure = (typeof ingressFailures)[number];

/** Window of one stream: what a slow reader can make its sender's peer hold. */
export const streamWindowBytes = 512 * 1024;
/**
 * Window of the whole connection; reading never waits for a slow stream, so this only has to fill a long
 * line.
 */
export const connectionWindowBytes = 16 * 1024 * 1024;
/** Most streams open at once over one tunnel. */
export const maxTunnelStreams = 4_096;
export const maxTunnelHeaderBytes = 64 * 1024;

/**
 * Times of the keepalive: a ping each `pingMs`; a peer that neither answers nor sends anything for `pongMs`
 * is gone.
 */
export interface TunnelTimes {
  pingMs: number;
  pongMs: number;
  /** Milliseconds in which a new connection must be ready for use. */
  handshakeMs: number;
  backOffMinMs: number;
  backOffMaxMs: number;
}

export const tunnelTimes: TunnelTimes = {
  pingMs: 5_000,
  pongMs: 5_000,
  handshakeMs: 10_000,
  backOffMinMs: 250,
  backOffMaxMs: 10_000,
};
