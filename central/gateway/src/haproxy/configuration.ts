/**
 * Builds HAProxy's configuration: constant text, numbers and paths of our own. Nothing that a tenant chooses
 * is in it; where visitors go stands in a map (`routes/map-value.ts`).
 */

import {
  failureHeader,
  gatewayHeader,
  missingHeader,
  siteHeader,
  type CentralServers,
} from "@tijolo/protocol";
import { answerBy, errorPages, isJsonWanted } from "./error-files.ts";
import { withCompressed } from "./compression.ts";
import { failedVisitBackends, failedVisitFrontends } from "./failed-visits.ts";
import { closeBehindCutAnswer } from "./cut-answers.ts";
import { centralResolvers, centralServer, type FarCentral } from "./central-server.ts";
import { routeHas } from "./route-value.ts";
import { siteBackends, toAddress, ways } from "./site-backends.ts";
import { behindFront, tlsFront } from "./tls-front.ts";
import { leaveOutCounted, markCounted, visitFormat } from "./visit-log.ts";
import { connectionRules, visitorRules } from "./visitor-rules.ts";

export interface ConfigurationParts {
  /** Directory of sockets, pages and maps, which is HAProxy's root once it serves. */
  runDirectory: string;
  httpListen: string;
  /** Address at which visitors arrive over HTTPS; null: nowhere. */
  httpsListen: string | null;
  /** True to speak HTTP/3 there, too. */
  hasHttp3: boolean;
  trustedProxies: readonly string[];
  /** True where their connections begin with the PROXY protocol. Default: false. */
  hasProxyProtocol?: boolean;
  /** Milliseconds in which a program begins its answer. Default: 125 s. */
  programSilenceMs?: number;
  /** Users that HAProxy becomes; null: this program has no right to change its user. */
  uid: number | null;
  /** Servers that take what this gateway does not carry itself, and what proves this gateway to them. */
  central: CentralServers;
  /** Null: central is on this machine, or in its network. */
  farCentral: FarCentral | null;
}

/** Numbers of the configuration. */
const bounds = {
  maxDescriptors: 200_000,
  /** Bytes of a request's head; a head that does not fit is refused with 400. */
  headBytes: 32 * 1024,
  headers: 200,
  /**
   * Bytes that each thread keeps for its next buffers. By default they are fewer than 64 visits hold at once, and
   * each buffer more is fetched from memory that is in no cache: a tenth of a visit's processor time.
   */
  hotBytes: 8 * 1024 * 1024,
  /**
   * Percent of the descriptors in use up to which idle connections to programs are kept, and from which on they are
   * closed. Visitors have half of the descriptors: by the default, of 20 and 25, visitors who only hold connections
   * open would take from all others the connections that are used again, which doubles what a visit costs.
   */
  idlePercent: { keep: 70, close: 75 },
  /** Seconds for which a visit tries, once each, a central that does not listen: it restarts, on a busy machine. */
  centralSeconds: 20,
  streams: 100,
  glitches: 100,
};

export function configurationText(parts: ConfigurationParts): string {
  const { runDirectory: run, uid, central, farCentral, programSilenceMs = 125_000 } = parts;
  const { key } = central;
  const inside = uid === null ? run : "";
  const owner = uid === null ? "" : ` uid ${uid} gid ${uid}`;
  return `${globalSection(parts)}
${defaultsSection(run)}
${centralResolvers(farCentral)}${tableSections}
${ringSection}
${visitorsFrontend(parts, owner)}
${tlsFrontSections(parts, inside)}${failedVisitFrontends({ run, owner, ways })}
${heldFrontend(run, { owner, key })}
${siteBackends({ inside, programSilenceMs, key })}
${staticBackends({ run, inside, key })}
${pagesBackends(parts)}
${failedVisitBackends(run, central, farCentral)}${apiBackend(parts)}`;
}

function globalSection({ runDirectory: run, uid, hasHttp3 }: ConfigurationParts): string {
  return section("global", [
    `stats socket ${run}/api mode 600 level admin expose-fd listeners`,
    "stats timeout 30s",
    ...(uid === null ? [] : [`chroot ${run}`, `uid ${uid}`, `gid ${uid}`]),
    "hard-stop-after 60s",
    "# Two processes that nobody has told of each other would share the visitors of an address.",
    "noreuseport",
    ...(hasHttp3 ? ["limited-quic"] : []),
    `fd-hard-limit ${bounds.maxDescriptors}`,
    `tune.bufsize ${bounds.headBytes + 2048}`,
    "tune.maxrewrite 2048",
    `tune.memory.hot-size ${bounds.hotBytes}`,
    `tune.pool-low-fd-ratio ${bounds.idlePercent.keep}`,
    `tune.pool-high-fd-ratio ${bounds.idlePercent.close}`,
    `tune.http.maxhdr ${bounds.headers + 1}`,
    "tune.stick-counters 4",
    `tune.h2.fe.max-concurrent-streams ${bounds.streams}`,
    `tune.h2.fe.glitches-threshold ${bounds.glitches}`,
    "# On a connection to a program a visitor who does not read would hold up all others.",
    "tune.h2.be.max-concurrent-streams 1",
  ]);
}

function defaultsSection(run: string): string {
  return section("defaults", [
    "mode http",
    "option http-keep-alive",
    "# When this process is replaced: a request may be on its way, and its visitor would see it fail. For the 15 s of",
    "# http-keep-alive it is answered by the routes of that moment.",
    "option idle-close-on-response",
    "timeout client 60s",
    "timeout http-request 20s",
    "timeout http-keep-alive 15s",
    "timeout connect 1s",
    "timeout server 125s",
    "timeout tunnel 1h",
    ...Object.keys(errorPages).map((status) => `errorfile ${status} ${run}/${status}.http`),
  ]);
}

/** Backends without servers, whose tables count connections of addresses and visits of sites and runs. */
const tableSections = [
  section("backend addresses", ["stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(1s)"]),
  section("backend visitors", ["stick-table type ipv6 size 100k expire 1m store conn_cur"]),
  section("backend sites", ["stick-table type string len 32 size 100k expire 1m store conn_cur"]),
  section("backend visits", ["stick-table type string len 48 size 100k expire 1m store conn_cur"]),
  section("backend streams", ["stick-table type string len 48 size 100k expire 1m store conn_cur"]),
].join("\n");

const ringSection = section("ring visits", ["format raw", "maxlen 16384", "size 8388608"]);

function visitorsFrontend(parts: ConfigurationParts, owner: string): string {
  const { runDirectory: run, httpListen } = parts;
  const httpsBind = hasTlsFront(parts) ? behindFront(run, owner) : parts.httpsListen;
  return `frontend visitors
    bind ${httpListen}
${httpsBind === null ? "" : `    bind ${httpsBind} ${tlsOf(run, "h2,http/1.1")}\n`}${quicOf(parts)}    log ring@visits format raw local0
    log-format '${visitFormat}'
${visitorRules({ ...parts, isBehindFront: hasTlsFront(parts) })}
    default_backend pages
`;
}

/** Returns the sections of the front that TLS passes; nothing where it goes to the visitors' frontend at once. */
function tlsFrontSections(parts: ConfigurationParts, inside: string): string {
  if (!hasTlsFront(parts)) return "";
  const { httpsListen } = parts;
  const descriptors = bounds.maxDescriptors / 2;
  return tlsFront({ inside, httpsListen, descriptors, connectionRules: connectionRules(parts) });
}

/** Returns the hop to the pages server, which alone adds its key: no program of a site sees that. */
function heldFrontend(run: string, { owner, key }: { owner: string; key: string }): string {
  return section("frontend held", [
    `bind unix@${run}/held accept-proxy mode 600${owner}`,
    `http-request del-header ${siteHeader}`,
    `http-request del-header ${missingHeader}`,
    markCounted(key),
    "default_backend pages",
  ]);
}

/**
 * Returns the backends of the host's nginx, which is told the project. The visit goes to the pages server when nginx
 * is down or does not serve the site, and when a file is missing and central has the site's own 404 page. A site with a
 * file `404.html` answers with that. For all others nginx names the failure in a header, and HAProxy has our page.
 */
function staticBackends({ run, inside, key }: { run: string; inside: string; key: string }): string {
  return withCompressed(
    "static",
    (name, compressing) => `backend ${name}
${compressing}    http-reuse always
    retries 2
    option redispatch 1
    retry-on conn-failure empty-response 503
    ${toAddress}
    http-request add-header ${siteHeader} %[var(txn.project)]
    http-request add-header ${missingHeader} central if { ${routeHas("missingPage", "central")} }
    http-request set-var(txn.json) bool(true) if ${isJsonWanted}
    acl nothing res.hdr(${failureHeader}) -m found
${answerBy("http-response", { run, status: 404, condition: "nothing" }, "{ var(txn.json) -m bool }")}
    ${leaveOutCounted(key)}
    http-response del-header server
    http-response set-timeout server 600s
    use-server nginx if TRUE
    server nginx 0.0.0.0:0 weight 0 pool-purge-delay 30s
    server held unix@${inside}/held send-proxy-v2
`,
  );
}

/** Returns the backends for the visits that this gateway does not carry itself. */
function pagesBackends({ central: { key, pages }, farCentral }: ConfigurationParts): string {
  return withCompressed(
    "pages",
    (name, compressing) => `backend ${name}
${compressing}    timeout connect 1s
    retries ${bounds.centralSeconds}
    http-reuse safe
    http-request set-log-level silent
    http-request set-header ${gatewayHeader} ${key}
    http-response set-timeout server 600s
    ${closeBehindCutAnswer}
${centralServer("pages", pages, farCentral)}`,
  );
}

/** The API and the panel: streams of events stay open, and each event is sent at once. */
function apiBackend({ central: { key, api }, farCentral }: ConfigurationParts): string {
  if (api === null) return "";
  return `
backend api
    timeout connect 1s
    retries ${bounds.centralSeconds}
    http-reuse safe
    option http-no-delay
    http-request set-log-level silent
    http-request set-header ${gatewayHeader} ${key}
    http-response set-timeout server 1h
    ${closeBehindCutAnswer}
${centralServer("api", api, farCentral)}`;
}

/**
 * Returns how TLS is spoken: only for names that have a certificate, with the versions that RFC 9325 allows. The
 * list may be empty. Keys of session tickets are HAProxy's own, in its memory: whoever comes to another gateway
 * makes a whole handshake, and no key on a disk opens what somebody has recorded of TLS 1.2.
 */
function tlsOf(runDirectory: string, protocols: string): string {
  return `ssl crt-list ${runDirectory}/certificates.list strict-sni alpn ${protocols} ssl-min-ver TLSv1.2`;
}

/** Returns the line for HTTP/3, which is UDP at the same address, without data before the handshake is over. */
function quicOf({ runDirectory, httpsListen, hasHttp3 }: ConfigurationParts): string {
  if (httpsListen === null || !hasHttp3) return "";
  const family = httpsListen.startsWith("[") ? "quic6" : "quic4";
  return `    bind ${family}@${httpsListen} ${tlsOf(runDirectory, "h3")}\n`;
}

/** True where TLS passes a front of its own. */
function hasTlsFront(parts: ConfigurationParts): parts is ConfigurationParts & { httpsListen: string } {
  return parts.central.provesByTls === true && parts.httpsListen !== null;
}

/** Returns a section with its lines, each on a line of its own. */
function section(name: string, lines: readonly string[]): string {
  return `${name}\n${lines.map((line) => `    ${line}\n`).join("")}`;
}
