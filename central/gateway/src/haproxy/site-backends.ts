/** Builds the backends that go to the programs of sites: for the first try, and for those after it. */

import { withCompressed } from "./compression.ts";
import { closeBehindCutAnswer } from "./cut-answers.ts";
import { hasSmallBody, noteReached, triedTlv, wholeBody, type TriedBackend } from "./failed-visits.ts";
import { hopTlv, routeField, routeHas } from "./route-value.ts";
import { dropHeadersButCounted, leaveOutCounted } from "./visit-log.ts";

/** How a site is reached: on this machine, or over the mesh. */
interface Way {
  name: "near" | "far";
  /** Milliseconds in which a program accepts a connection, or does not listen. */
  connectMs: number;
}

export const ways: readonly Way[] = [
  { name: "near", connectMs: 250 },
  { name: "far", connectMs: 1_000 },
];
const patienceMs = 4_000;
/** Milliseconds that a hop within HAProxy waits less than the one before it, which would give up first otherwise. */
const marginMs = 1_000;

export interface SiteBackendParts {
  /** Directory of the sockets, as HAProxy sees it once it serves. */
  inside: string;
  /** Milliseconds in which a program begins its answer. */
  programSilenceMs: number;
  /** Key of the pages server. */
  key: string;
}

export function siteBackends(parts: SiteBackendParts): string {
  return ways
    .flatMap((way) => [
      firstBackends(parts, way),
      onceBackend(parts, way),
      patientBackends(parts, way),
      http2Backends(parts, way),
    ])
    .join("\n");
}

/** The first try: by connections that are kept, or by one of its own for each request. */
function firstBackends({ inside, programSilenceMs, key }: SiteBackendParts, way: Way): string {
  const again = (tried: TriedBackend) => againServer(inside, tried, programSilenceMs - marginMs);
  return withCompressed(
    way.name,
    (name, compressing) => `backend ${name}-kept
${compressing}${firstTryRules(key)}
${toProject(way.connectMs)}
${onceThenAgain(programSilenceMs)}
    http-reuse always
    server project 0.0.0.0:0 weight 0 pool-purge-delay 4s
${again("kept")}

backend ${name}
${compressing}${firstTryRules(key)}
${toProject(way.connectMs)}
${onceThenAgain(programSilenceMs)}
    http-reuse never
    server project 0.0.0.0:0 weight 0
${again("fresh")}
`,
  );
}

/** The try on a connection of its own after a kept one that has failed. */
function onceBackend({ inside, programSilenceMs, key }: SiteBackendParts, { name, connectMs }: Way): string {
  const silenceMs = atLeastMargin(programSilenceMs - marginMs);
  return `backend ${name}-once
${toProject(connectMs)}
    ${dropHeadersButCounted(key)}
${onceThenAgain(silenceMs)}
    http-reuse never
    server project 0.0.0.0:0 weight 0
${againServer(inside, "fresh", silenceMs - marginMs)}
`;
}

/**
 * Where a visit goes that no program has read: its program is tried for 4 s, then the pages server gets it. When
 * the program fails once it has the visit, `patient` closes the connection, and `again` shows the page for it.
 */
function patientBackends(
  { inside, programSilenceMs, key }: SiteBackendParts,
  { name, connectMs }: Way,
): string {
  const tries = patienceMs / connectMs;
  const wholeMs = atLeastMargin(programSilenceMs - 2 * marginMs);
  const silenceMs = atLeastMargin(wholeMs - patienceMs - marginMs);
  return `backend ${name}-again
    timeout connect 1s
${onceThenAgain(wholeMs)}
    http-reuse never
    http-response set-timeout server 600s
    use-server patient if TRUE
    server patient unix@${inside}/patient send-proxy-v2 ${tellRoute} weight 0
${againServer(inside, "patient", silenceMs)}

backend ${name}-patient
${toProject(connectMs)}
    ${dropHeadersButCounted(key)}
    timeout server ${silenceMs}ms
    http-reuse never
    retries ${tries}
    option redispatch ${tries}
    retry-on conn-failure
    errorfile 502 /dev/null
    errorfile 504 /dev/null
    server project 0.0.0.0:0 weight 0
    server held unix@${inside}/held send-proxy-v2
`;
}

/**
 * Returns the backends for programs that speak HTTP/2 without TLS: all visits to one share its connections as
 * streams. One that does not take the connection, or the protocol, is tried for 4 s, then the pages server gets the
 * visit. Once a program has a request it is not sent again, as calls of gRPC change things; so a failure has the
 * plain page, which such clients do not show.
 */
function http2Backends(
  { inside, programSilenceMs, key }: SiteBackendParts,
  { name: way, connectMs }: Way,
): string {
  const tries = patienceMs / connectMs;
  return withCompressed(
    `${way}-h2c`,
    (name, compressing) => `backend ${name}
${compressing}${firstTryRules(key)}
${toProject(connectMs)}
    timeout server ${programSilenceMs}ms
    http-reuse always
    retries ${tries}
    option redispatch ${tries}
    retry-on conn-failure
    server project 0.0.0.0:0 weight 0 proto h2 pool-purge-delay 4s
    server held unix@${inside}/held send-proxy-v2
`,
  );
}

/** Returns the rules of one try, whose failure sends the request to the other server of the backend. */
function onceThenAgain(silenceMs: number): string {
  return `    timeout server ${silenceMs}ms
    retries 1
    option redispatch 1
    retry-on conn-failure empty-response junk-response response-timeout
    ${noteReached}`;
}

function againServer(inside: string, tried: TriedBackend, lateMs: number): string {
  return `    server again unix@${inside}/again pool-max-conn 0 send-proxy-v2 ${tellRoute} ${triedTlv(tried, atLeastMargin(lateMs))}`;
}

/** Option of a server within HAProxy that is told the route. */
const tellRoute = `set-proxy-v2-tlv-fmt(${hopTlv.route}) %[var(txn.route)]`;

/** Rules of a backend whose server's address the route says. */
export const toAddress = `http-request set-dst ${routeField("address")}
    http-request set-dst-port ${routeField("port")}`;

/**
 * Returns the rules of the backends that the visitors' frontend uses. They tell the program what central is not told,
 * count the visit for its run, and have HAProxy hold a body that is sent again when the try fails.
 */
function firstTryRules(key: string): string {
  return `    http-request add-header X-Real-IP %[var(txn.source)]
    http-request add-header X-Forwarded-Host %[req.hdr(host)]
    acl upgrade req.hdr(upgrade) -m found
    acl events req.hdr(accept) -m sub -i text/event-stream
    http-request set-var(txn.run) ${routeField("run")}
    http-request track-sc2 var(txn.project),concat(.,txn.run) table visits if !upgrade !events
    # Only those whom the rule before does not track: the first rule that tracks counts.
    http-request track-sc2 var(txn.project),concat(.,txn.run) table streams
    http-request wait-for-body ${wholeBody} if ${hasSmallBody}
    ${leaveOutCounted(key)}`;
}

/** Rules of a backend that goes to the program of a site. */
function toProject(connectMs: number): string {
  return `    timeout connect ${connectMs}ms
    ${toAddress}
    acl own ${routeHas("domain", "own")}
    http-response replace-header Set-Cookie '(?i)^([^;]*(?:;.*?)?);[ \\t]*domain[ \\t]*=[^;]*(.*)$' '\\1\\2' unless own
    http-response replace-header Set-Cookie '(?i)^[^;]*(?:;.*)?;[ \\t]*domain[ \\t]*=.*$' 'dropped-by-gateway=; Max-Age=0' unless own
    http-response set-timeout server 600s
    ${closeBehindCutAnswer}
    use-server project if TRUE`;
}

function atLeastMargin(ms: number): number {
  return Math.max(marginMs, ms);
}
