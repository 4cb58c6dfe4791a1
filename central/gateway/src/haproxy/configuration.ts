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
import { answerBy, errorPages, isJsonWanted, type RuleAnswer } from "./error-files.ts";
import { compressedName, withCompressed } from "./compression.ts";
import { failedVisitBackends, failedVisitFrontends } from "./failed-visits.ts";
import { closeBehindCutAnswer } from "./cut-answers.ts";
import { centralResolvers, centralServer, type FarCentral } from "./central-server.ts";
import { routeField, routeHas } from "./route-value.ts";
import { siteBackends, toAddress, ways } from "./site-backends.ts";
import { behindFront, tlsFront } from "./tls-front.ts";
import { leaveOutCounted, markCounted, visitFormat } from "./visit-log.ts";

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
  /** From here on a head is refused with 431, which names the reason. */
  politeHeadBytes: 24 * 1024,
  /**
   * HAProxy's own count of a head leaves out what stands between and behind names and values: four bytes for each
   * header, which are fewer than these.
   */
  uncountedHeadBytes: 1024,
  /** Seconds for which a visit tries, once each, a central that does not listen: it restarts, on a busy machine. */
  centralSeconds: 20,
  visitsPerSite: 512,
  connectionsPerAddress: 256,
  newPerSecond: 100,
  streams: 100,
  glitches: 100,
};

export function configurationText(parts: ConfigurationParts): string {
  const { runDirectory: run, httpListen, httpsListen, hasHttp3, uid, central, farCentral } = parts;
  const { programSilenceMs = 125_000 } = parts;
  const inside = uid === null ? run : "";
  const owner = uid === null ? "" : ` uid ${uid} gid ${uid}`;
  const isFronted = hasTlsFront(parts);
  const httpsBind = isFronted ? behindFront(run, owner) : httpsListen;
  const front = isFronted
    ? tlsFront({
        inside,
        httpsListen: parts.httpsListen,
        descriptors: bounds.maxDescriptors / 2,
        connectionRules: connectionRules(parts),
      })
    : "";
  return `global
    stats socket ${run}/api mode 600 level admin expose-fd listeners
    stats timeout 30s
${uid === null ? "" : `    chroot ${run}\n    uid ${uid}\n    gid ${uid}\n`}    hard-stop-after 60s
${hasHttp3 ? "    limited-quic\n" : ""}    fd-hard-limit ${bounds.maxDescriptors}
    tune.bufsize ${bounds.headBytes + 2048}
    tune.maxrewrite 2048
    tune.memory.hot-size ${bounds.hotBytes}
    tune.pool-low-fd-ratio ${bounds.idlePercent.keep}
    tune.pool-high-fd-ratio ${bounds.idlePercent.close}
    tune.http.maxhdr ${bounds.headers + 1}
    tune.h2.fe.max-concurrent-streams ${bounds.streams}
    tune.h2.fe.glitches-threshold ${bounds.glitches}

defaults
    mode http
    option http-keep-alive
    # When this process is replaced: a request may be on its way, and its visitor would see it fail. For the 15 s of
    # http-keep-alive it is answered by the routes of that moment.
    option idle-close-on-response
    timeout client 60s
    timeout http-request 20s
    timeout http-keep-alive 15s
    timeout connect 1s
    timeout server 125s
    timeout tunnel 1h
${Object.keys(errorPages)
  .map((status) => `    errorfile ${status} ${run}/${status}.http`)
  .join("\n")}

${centralResolvers(farCentral)}backend addresses
    stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(1s)

backend sites
    stick-table type string len 32 size 100k expire 1m store conn_cur

backend visits
    stick-table type string len 48 size 100k expire 1m store conn_cur

backend streams
    stick-table type string len 48 size 100k expire 1m store conn_cur

ring visits
    format raw
    maxlen 16384
    size 8388608

frontend visitors
    bind ${httpListen}
${httpsBind === null ? "" : `    bind ${httpsBind} ${tlsOf(run, "h2,http/1.1")}\n`}${quicOf(parts)}    log ring@visits format raw local0
    log-format '${visitFormat}'
${visitorRules(parts)}
    default_backend pages

${front}${failedVisitFrontends({ run, owner, ways })}
frontend held
    bind unix@${run}/held accept-proxy mode 600${owner}
    http-request del-header ${siteHeader}
    http-request del-header ${missingHeader}
    ${markCounted(central.key)}
    default_backend pages

${siteBackends({ inside, programSilenceMs, key: central.key })}
${staticBackends({ run, inside, key: central.key })}
${pagesBackends(parts)}
${failedVisitBackends(run, central, farCentral)}${apiBackend(parts)}`;
}

/**
 * Returns the backends of the host's nginx, which is told the project. What it does not serve now, or is not there
 * to serve, goes to the pages server, and a file that is not there where central has a page of the site's for that.
 * Else nginx names the failure, unless the site has a `404.html`, and HAProxy has our page.
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

/** Returns the rules of a connection from outside: whom they trust, and how many an address may have. */
function connectionRules({ trustedProxies, hasProxyProtocol = false }: ConfigurationParts): string {
  const trusted = trustedProxies.length === 0 ? "always_false" : `src ${trustedProxies.join(" ")}`;
  return `    acl local src 127.0.0.0/8 ::1
    acl trusted ${trusted}
${hasProxyProtocol ? "    tcp-request connection expect-proxy layer4 if trusted\n" : ""}    tcp-request connection track-sc0 src,ipmask(32,64) table addresses unless local || trusted
    tcp-request connection reject if { sc0_conn_cur gt ${bounds.connectionsPerAddress} }`;
}

/**
 * Returns the rules that every visit passes. Each costs all of them some hundred to some thousand instructions, so
 * what concerns one way only stands in the backends of that way.
 */
function visitorRules(parts: ConfigurationParts): string {
  const { runDirectory: run, trustedProxies, central } = parts;
  // Behind the front of TLS a connection is that of a socket; only the front counts those of its visitor.
  const newOfAddress = hasTlsFront(parts) ? "src,ipmask(32,64),table_conn_rate(addresses)" : "sc0_conn_rate";
  const refuse = (status: RuleAnswer["status"], condition: string, options?: string) =>
    answerBy("http-request", { run, status, condition, options });
  const map = `map_str(${run}/routes.map)`;
  return `${connectionRules(parts)}
${originRules(trustedProxies)}
${refuse(429, `{ ${newOfAddress} gt ${bounds.newPerSecond} }`, "hdr Retry-After 1")}
${refuse(405, "{ method TRACE CONNECT }", 'hdr Allow "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"')}
    # Only of what can be too large, and once: each look at the head as a whole copies it.
    http-request set-var(txn.headBytes) req.hdrs,length if { internal.htx.data gt ${bounds.politeHeadBytes - bounds.uncountedHeadBytes} }
${refuse(431, `{ var(txn.headBytes) -m int gt ${bounds.politeHeadBytes} }`)}
    http-request set-var(txn.host) hdr(host),host_only,lower,rtrim(.)
${refuse(421, "{ ssl_fc } !{ ssl_fc_sni,lower,strcmp(txn.host) eq 0 }")}
    acl proof path_beg /.well-known/acme-challenge/ /.well-known/tijolo/
    http-request set-var(txn.thumbprint) var(txn.host),map_str(${run}/challenges.map) if proof
    acl challenge path -m reg ^/[.]well-known/acme-challenge/[A-Za-z0-9_-]{1,200}$
    http-request return status 200 content-type text/plain lf-string "%[path,field(4,/)].%[var(txn.thumbprint)]" if { var(txn.thumbprint) -m found } challenge
${securedRules(parts)}
    # Proofs of domains are central's to answer, whatever the name leads to.
    acl ours path_beg /.well-known/tijolo/
    http-request set-var(txn.route) var(txn.host),${map} unless ours
    http-request set-var(txn.route) var(txn.host),regsub(^[^.]+,*),${map} unless { var(txn.route) -m found } or ours
    http-request set-var(txn.way) ${routeField("way")}
    http-request set-var(txn.project) ${routeField("project")}
    http-request del-header x-forwarded -m beg
    http-request del-header x_forwarded -m beg
    http-request del-header forwarded
    http-request del-header x-real-ip
    http-request del-header x_real_ip
    http-request del-header x-tijolo -m beg
    http-request del-header x_tijolo -m beg
    http-request add-header X-Forwarded-For %[var(txn.source)]
    http-request add-header X-Forwarded-Proto %[var(txn.protocol)]
    http-request redirect prefix "%[var(txn.protocol)]://%[${routeField("address")}]" code 308 if { var(txn.way) -m str redirect }
    http-request track-sc1 var(txn.project) table sites if { var(txn.project) -m found }
${refuse(503, `{ sc1_conn_cur gt ${bounds.visitsPerSite} }`, "hdr Retry-After 5")}
    acl http1 var(txn.way) -m str ${ways.flatMap(({ name }) => [name, compressedName(name)]).join(" ")}
    acl repeatable method GET HEAD OPTIONS
    acl upgrade req.hdr(upgrade) -m found
    acl body req.hdr(content-length) -m found
    acl body req.hdr(transfer-encoding) -m found
    http-request set-var(txn.agent) req.fhdr(user-agent),bytes(0,256)
    http-request set-var(txn.referrer) req.fhdr(referer),bytes(0,256)
${central.api === null ? "" : `    use_backend api if { var(txn.host) -m str ${central.api.hostname} }\n`}    http-request set-var(txn.kept) str(-kept) if http1 repeatable !upgrade !body
    use_backend %[var(txn.way)]%[var(txn.kept)] if { var(txn.way) -m found }`;
}

/** Visitors of a name with a certificate come by HTTPS, and are told to do so for 180 days (RFC 6797). */
function securedRules({ runDirectory: run, httpsListen, hasHttp3 }: ConfigurationParts): string {
  if (httpsListen === null) return "    # there is no HTTPS";
  const map = `map_str(${run}/secured.map)`;
  const port = /:(\d+)$/.exec(httpsListen)?.[1] ?? "443";
  const shownPort = port === "443" ? "" : `:${port}`;
  return `    http-request set-var(txn.secured) var(txn.host),${map}
    http-request set-var(txn.secured) var(txn.host),regsub(^[^.]+,*),${map} unless { var(txn.secured) -m found }
    http-request redirect location "https://%[var(txn.host)]${shownPort}%[pathq]" code 308 if { var(txn.protocol) -m str http } { var(txn.secured) -m found } !proof
    http-response set-header Strict-Transport-Security max-age=15552000 if { ssl_fc } { var(txn.secured) -m found } !{ ${routeHas("hsts", "plain")} } !{ res.hdr(strict-transport-security) -m found }${hasHttp3 ? `\n    http-response set-header Alt-Svc "h3=\\":${port}\\"; ma=86400" if { ssl_fc }` : ""}`;
}

/**
 * Returns the rules that find the visitor's protocol and address. The address is kept as text, by any converter of
 * texts: else each header and the log would make it anew. A trusted proxy is believed about the visitor, and about a
 * proxy before it that is trusted, too; three in a row at most. Where none is trusted, all visits of a connection are
 * of one address.
 */
function originRules(networks: readonly string[]): string {
  const protocol = "    http-request set-var(txn.protocol) ssl_fc,iif(https,http)";
  if (networks.length === 0)
    return `    tcp-request session set-var(sess.source) src,lower
${protocol}
    http-request set-var(txn.source) var(sess.source)`;
  const forwarded = [1, 2, 3].map(
    (index) =>
      `    http-request set-src hdr_ip(x-forwarded-for,-${index}) if trusted { hdr_ip(x-forwarded-for,-${index}) -m found }`,
  );
  return [
    protocol,
    "    http-request set-var(txn.protocol) str(https) if trusted { req.fhdr(x-forwarded-proto) -m str -i https wss }",
    ...forwarded,
    "    http-request set-var(txn.source) src,lower",
  ].join("\n");
}
