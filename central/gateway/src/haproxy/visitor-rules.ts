/**
 * Builds the rules that every visit passes, up to the backend that carries it. Each costs all visits some hundred to
 * some thousand instructions, so what concerns one way only stands in the backends of that way.
 */

import type { CentralServers } from "@tijolo/protocol";
import { compressedName } from "./compression.ts";
import { answerBy, type RuleAnswer } from "./error-files.ts";
import { routeField, routeHas } from "./route-value.ts";
import { ways } from "./site-backends.ts";

export interface VisitorRuleParts {
  /** Directory of the maps and pages. */
  runDirectory: string;
  httpsListen: string | null;
  hasHttp3: boolean;
  trustedProxies: readonly string[];
  hasProxyProtocol?: boolean;
  /** True where connections over TLS come from a front, which alone counts those of an address. */
  isBehindFront: boolean;
  central: CentralServers;
}

const bounds = {
  /** From here on a head is refused with 431, which names the reason. */
  politeHeadBytes: 24 * 1024,
  /**
   * HAProxy's own count of a head leaves out what stands between and behind names and values: four bytes for each
   * header, which are fewer than these.
   */
  uncountedHeadBytes: 1024,
  visitsPerSite: 512,
  connectionsPerAddress: 256,
  /** Visits at once of one address, over all of its connections: one of HTTP/2 has a hundred. */
  visitsPerAddress: 256,
  newPerSecond: 100,
};

/** Returns the rules in the order in which a visit passes them. */
export function visitorRules(parts: VisitorRuleParts): string {
  const { runDirectory: run, trustedProxies, central } = parts;
  return [
    connectionRules(parts),
    originRules(trustedProxies),
    boundRules(parts),
    hostRules(run),
    proofRules(run),
    securedRules(parts),
    routeRules(run),
    headerRules,
    siteRules(run),
    wayRules(central),
  ].join("\n");
}

/** Returns the rules of a connection from outside: whom they trust, and how many an address may have. */
export function connectionRules({
  trustedProxies,
  hasProxyProtocol = false,
}: Pick<VisitorRuleParts, "trustedProxies" | "hasProxyProtocol">): string {
  const trusted = trustedProxies.length === 0 ? "always_false" : `src ${trustedProxies.join(" ")}`;
  return `    acl local src 127.0.0.0/8 ::1
    acl trusted ${trusted}
${hasProxyProtocol ? "    tcp-request connection expect-proxy layer4 if trusted\n" : ""}    tcp-request connection track-sc0 src,ipmask(32,64) table addresses unless local || trusted
    tcp-request connection reject if { sc0_conn_cur gt ${bounds.connectionsPerAddress} }`;
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

/** Returns the rules that refuse what is too much, or too large. */
function boundRules({ runDirectory: run, isBehindFront }: VisitorRuleParts): string {
  // Behind the front a connection is that of a socket.
  const newOfAddress = isBehindFront ? "src,ipmask(32,64),table_conn_rate(addresses)" : "sc0_conn_rate";
  const { newPerSecond, visitsPerAddress, politeHeadBytes, uncountedHeadBytes } = bounds;
  const tooMany = `{ ${newOfAddress} gt ${newPerSecond} }`;
  const methods = 'hdr Allow "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"';
  return `${refuse({ run, status: 429, condition: tooMany, options: "hdr Retry-After 1" })}
    http-request track-sc3 src,ipmask(32,64) table visitors unless local || trusted
${refuse({ run, status: 429, condition: `{ sc_conn_cur(3) gt ${visitsPerAddress} }`, options: "hdr Retry-After 1" })}
${refuse({ run, status: 405, condition: "{ method TRACE CONNECT }", options: methods })}
    # Only of what can be too large, and once: each look at the head as a whole copies it.
    http-request set-var(txn.headBytes) req.hdrs,length if { internal.htx.data gt ${politeHeadBytes - uncountedHeadBytes} }
${refuse({ run, status: 431, condition: `{ var(txn.headBytes) -m int gt ${politeHeadBytes} }` })}`;
}

/** Returns the rules that find the name that is asked for, which over TLS is that of the handshake. */
function hostRules(run: string): string {
  return `    http-request set-var(txn.host) hdr(host),host_only,lower,rtrim(.)
${refuse({ run, status: 421, condition: "{ ssl_fc } !{ ssl_fc_sni,lower,strcmp(txn.host) eq 0 }" })}`;
}

/** Returns the rules that answer authorities which ask for the proof of a name (RFC 8555 section 8.3). */
function proofRules(run: string): string {
  return `    acl proof path_beg /.well-known/acme-challenge/ /.well-known/tijolo/
    http-request set-var(txn.thumbprint) var(txn.host),map_str(${run}/challenges.map) if proof
    acl challenge path -m reg ^/[.]well-known/acme-challenge/[A-Za-z0-9_-]{1,200}$
    http-request return status 200 content-type text/plain lf-string "%[path,field(4,/)].%[var(txn.thumbprint)]" if { var(txn.thumbprint) -m found } challenge`;
}

/** Visitors of a name with a certificate come by HTTPS, and are told to do so for 180 days (RFC 6797). */
function securedRules({ runDirectory: run, httpsListen, hasHttp3 }: VisitorRuleParts): string {
  if (httpsListen === null) return "    # there is no HTTPS";
  const secured = `map_str(${run}/secured.map)`;
  const port = /:(\d+)$/.exec(httpsListen)?.[1] ?? "443";
  const shownPort = port === "443" ? "" : `:${port}`;
  const rules = [
    `http-request set-var(txn.secured) var(txn.host),${secured}`,
    `http-request set-var(txn.secured) var(txn.host),regsub(^[^.]+,*),${secured} unless { var(txn.secured) -m found }`,
    `http-request redirect location "https://%[var(txn.host)]${shownPort}%[pathq]" code 308 if { var(txn.protocol) -m str http } { var(txn.secured) -m found } !proof`,
    `http-response set-header Strict-Transport-Security max-age=15552000 if { ssl_fc } { var(txn.secured) -m found } !{ ${routeHas("hsts", "plain")} } !{ res.hdr(strict-transport-security) -m found }`,
  ];
  if (hasHttp3) rules.push(`http-response set-header Alt-Svc "h3=\\":${port}\\"; ma=86400" if { ssl_fc }`);
  return rules.map((rule) => `    ${rule}`).join("\n");
}

/** Returns the rules that find the route of the name, or of the wildcard above it. */
function routeRules(run: string): string {
  const routes = `map_str(${run}/routes.map)`;
  return `    # Proofs of domains are central's to answer, whatever the name leads to.
    acl ours path_beg /.well-known/tijolo/
    http-request set-var(txn.route) var(txn.host),${routes} unless ours
    http-request set-var(txn.route) var(txn.host),regsub(^[^.]+,*),${routes} unless { var(txn.route) -m found } or ours
    http-request set-var(txn.way) ${routeField("way")}
    http-request set-var(txn.project) ${routeField("project")}`;
}

/** Rules that replace what the visitor says about itself, and drop headers that only our own programs set. */
const headerRules = `    http-request del-header x-forwarded -m beg
    http-request del-header x_forwarded -m beg
    http-request del-header forwarded
    http-request del-header x-real-ip
    http-request del-header x_real_ip
    http-request del-header x-tijolo -m beg
    http-request del-header x_tijolo -m beg
    http-request add-header X-Forwarded-For %[var(txn.source)]
    http-request add-header X-Forwarded-Proto %[var(txn.protocol)]`;

/** Returns the rules of the site: where it has moved to, and how many visits it has at once. */
function siteRules(run: string): string {
  // Browsers keep a 308 for good, unless they are told that it may change.
  const tooMany = `{ sc1_conn_cur gt ${bounds.visitsPerSite} }`;
  return `    http-request return status 308 hdr Location "%[var(txn.protocol)]://%[${routeField("address")}]%[pathq]" hdr Cache-Control no-store if { var(txn.way) -m str redirect }
    http-request track-sc1 var(txn.project) table sites if { var(txn.project) -m found }
${refuse({ run, status: 503, condition: tooMany, options: "hdr Retry-After 5" })}`;
}

/** Returns the rules that choose the backend: for the API, or for the way of the route, by a kept connection or not. */
function wayRules({ api }: CentralServers): string {
  const http1 = ways.flatMap(({ name }) => [name, compressedName(name)]).join(" ");
  return [
    `acl http1 var(txn.way) -m str ${http1}`,
    "acl repeatable method GET HEAD OPTIONS",
    "acl upgrade req.hdr(upgrade) -m found",
    "acl body req.hdr(content-length) -m found",
    "acl body req.hdr(transfer-encoding) -m found",
    "http-request set-var(txn.agent) req.fhdr(user-agent),bytes(0,256)",
    "http-request set-var(txn.referrer) req.fhdr(referer),bytes(0,256)",
    ...(api === null ? [] : [`use_backend api if { var(txn.host) -m str ${api.hostname} }`]),
    "http-request set-var(txn.kept) str(-kept) if http1 repeatable !upgrade !body",
    "use_backend %[var(txn.way)]%[var(txn.kept)] if { var(txn.way) -m found }",
  ]
    .map((rule) => `    ${rule}`)
    .join("\n");
}

function refuse(answer: RuleAnswer): string {
  return answerBy("http-request", answer);
}
