/** Defines what central tells a gateway, and what a gateway answers: routes of hostnames, and drains. */

import { z } from "zod";
import { drainSeconds } from "../nouns/site-settings.ts";
import { count } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { plainText, shownText } from "../values/plain-text.ts";

/**
 * Name of the header with which a gateway proves itself to the pages server: what it says about a visitor is
 * believed. A gateway drops every header with the prefix `x-tijolo-` that a visitor sends.
 */
export const gatewayHeader = "x-tijolo-gateway";

/**
 * Name of the header with which a gateway on another machine says which of central's servers a visit is for: there
 * is one address for all of them, that of the link over TLS.
 */
export const serverHeader = "x-tijolo-server";

/** Central's servers for visitors: for those of sites, and for those of the panel and the API. */
export const visitorServers = ["pages", "api"] as const;
export type VisitorServer = (typeof visitorServers)[number];

/** Name of the header with which a gateway names the project to the nginx of static sites. */
export const siteHeader = "x-tijolo-site";

/** Name of the header with which a gateway says that a file which is not there is another server's affair. */
export const missingHeader = "x-tijolo-missing";

/** A name that visitors ask for: A-labels in small letters, or all names below one (`*.example.com`). */
export const routedHostname = z
  .string()
  .max(253)
  .regex(/^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/);

const port = z.int().min(1).max(65_535);

/** Address at which the program of a site listens on its host, or a server has its files. */
export const siteAddress = z.object({
  address: z
    .string()
    .max(15)
    .regex(/^\d{1,3}(?:\.\d{1,3}){3}$/),
  port,
  /** Number of the run, which grows with each run of the project on its host. */
  runNumber: count,
  /** True where files are served, by a server that all static sites of the host share. */
  isStatic: z.boolean().default(false),
});
export type SiteAddress = z.infer<typeof siteAddress>;

/** Says where the visitors of a hostname go. */
export const siteRoute = z.object({
  hostname: routedHostname,
  projectId: id,
  /** What answers, where this gateway reaches it; null: the pages server takes the visit. */
  near: siteAddress.nullable(),
  /** The host of that program, where it is another machine, which the gateway reaches over the mesh. */
  farHost: id.optional(),
  /** Hostname that visitors are sent to, with the path that they asked for; null: none. */
  redirectTo: routedHostname.nullable(),
  /** True for a domain of the site's own, below which its cookies are its own affair. */
  isOwnDomain: z.boolean(),
  /** True to tell browsers that the name is reached by HTTPS only. */
  hasHsts: z.boolean(),
  /** True to compress answers of text that the program has not compressed. */
  isCompressed: z.boolean(),
  /** True where central has a page of the site's own for a file that it has not; left out: it has none. */
  hasMissingPage: z.literal(true).optional(),
  /** Says that the program speaks HTTP/2 without TLS; left out: it speaks HTTP/1.1. */
  protocol: z.literal("h2c").optional(),
});
export type SiteRoute = z.infer<typeof siteRoute>;

/** Returns the text whose SHA-256 is a route's hash; the hash of a set is the sum of those (`sumOfHashes`). */
export function canonicalRoute(route: SiteRoute): string {
  const { hostname, projectId, near, farHost, redirectTo } = route;
  const { isOwnDomain, hasHsts, isCompressed, hasMissingPage, protocol } = route;
  const host = farHost === undefined ? [] : [farHost];
  const where = near === null ? null : [near.address, near.port, near.runNumber, near.isStatic, ...host];
  // Only what is said enters the text: gateways that do not know the field agree about all other routes.
  const spoken = protocol === undefined ? [] : [protocol];
  const settings = [isOwnDomain, hasHsts, isCompressed, hasMissingPage === true, ...spoken];
  return JSON.stringify([hostname, projectId, where, redirectTo, ...settings]);
}

/**
 * Identifies the machine and the network that a program runs in: two programs with the same text reach the
 * same addresses.
 */
export const machineName = plainText(100);

export const gatewayHello = z.object({
  gatewayId: id,
  /** Signature of `helloSignatureText` with the socket `gateway`. */
  signature: plainText(200),
  protocol: z.object({ min: count, max: count }),
  build: shownText(100),
  machine: machineName,
});
export type GatewayHello = z.infer<typeof gatewayHello>;

export const gatewayWelcome = z.object({ protocol: count, epoch: count });
export type GatewayWelcome = z.infer<typeof gatewayWelcome>;

const setHash = z.string().regex(/^(?:[0-9a-f]{64})?$/);

/** The set that the gateway holds, by its hash; "" asks for all routes. */
export const routesRequest = z.object({ setHash });

const serverAddress = z.object({
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:-]+$/),
  port,
});
export type ServerAddress = z.infer<typeof serverAddress>;

/** Central's servers, which take the visits that a gateway does not carry itself. */
export const centralServers = z.object({
  /** Value of {@link gatewayHeader}. */
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Takes what comes for sites. */
  pages: serverAddress,
  /**
   * True where the pages server shows how a visit failed that a gateway carried (`failureHeader`). An older one
   * would carry the visit once more.
   */
  showsFailures: z.literal(true).optional(),
  /** Says that names are proved over TLS (`tls-alpn-01`), which takes a front before HTTPS. Absent: they are not. */
  provesByTls: z.literal(true).optional(),
  /** Takes what comes for central's own name: the API and the panel; null: it is reached at its address only. */
  api: z.object({ hostname: routedHostname, ...serverAddress.shape }).nullable(),
});
export type CentralServers = z.infer<typeof centralServers>;

/**
 * The routes, in one or more parts; they take effect as a whole with the last part. `isFull`: the upserts of
 * all parts are all there is.
 */
export const routesUpdate = z.object({
  /** Number of the update in this subscription, from 1. */
  revision: count,
  part: count,
  isFull: z.boolean(),
  upserts: z.array(siteRoute).max(20_000),
  deletes: z.array(routedHostname).max(20_000),
  /** Hash of the set that results; null: more parts follow. */
  setHash: setHash.nullable(),
  central: centralServers,
});
export type RoutesUpdate = z.infer<typeof routesUpdate>;

/** Certificates that a cluster may have; one is 2 to 64 KB. */
const maxCertificates = 20_000;

/** A certificate that gateways serve. It never changes: another one has another id. */
export const gatewayCertificate = z.object({
  id,
  /** Host names, `*.example.com` for a wildcard, and IP addresses. */
  names: z.array(z.string().min(1).max(253)).max(100),
  /** Chain in PEM, the certificate first. */
  chain: z.string().max(128 * 1024),
  /** Private key in PEM. */
  privateKey: z.string().max(16 * 1024),
});
export type GatewayCertificate = z.infer<typeof gatewayCertificate>;

/** Name of the protocol that an authority speaks, by ALPN, where it looks for the proof of a name (RFC 8737, 4). */
export const acmeTlsProtocol = "acme-tls/1";

/** Names that are proved over TLS at the same time: a few orders, which prove one name after the other. */
const maxProofs = 100;

/**
 * A certificate that proves a name over TLS (RFC 8737). Only authorities are shown it, while an order waits for
 * them.
 */
export const proofCertificate = z.object({
  name: routedHostname,
  /** In PEM. */
  certificate: z.string().max(4 * 1024),
  /** In PEM. */
  privateKey: z.string().max(4 * 1024),
});
export type ProofCertificate = z.infer<typeof proofCertificate>;

/** Ids of the certificates that the gateway holds already. */
export const certificatesRequest = z.object({ held: z.array(id).max(maxCertificates) });

/**
 * The certificates, in one or more parts; they take effect as a whole with the last part, which names them all.
 */
export const certificatesUpdate = z.object({
  /** Certificates that the gateway does not hold yet. */
  certificates: z.array(gatewayCertificate).max(100),
  /**
   * Ids of all certificates, of which the later one counts for a name that several have; null: more parts follow.
   * The key of one that is named here and was never sent does not open: a gateway that holds it goes on with it.
   */
  ids: z.array(id).max(maxCertificates).nullable(),
  /** Names for which authorities ask for the proof `<token>.<thumbprint>` now, and that thumbprint. */
  challenges: z.object({
    names: z.array(routedHostname).max(maxCertificates),
    thumbprint: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .nullable(),
  }),
  /** All certificates that prove names over TLS now. Absent: none do. */
  proofs: z.array(proofCertificate).max(maxProofs).optional(),
});
export type CertificatesUpdate = z.infer<typeof certificatesUpdate>;

/** Visits that a gateway reports in one call. */
export const maxReportedVisits = 500;

const milliseconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A visit that the gateway carried itself, for the counts of its site. No address of a visitor is stored. */
export const carriedVisit = z.object({
  projectId: id,
  /** Milliseconds since 1970 at which the answer was over. */
  at: milliseconds,
  method: shownText(32),
  path: shownText(1_024),
  host: shownText(300),
  status: z.int().min(0).max(999),
  bytes: count,
  /** Milliseconds from the request to the head of its answer. */
  durationMs: milliseconds,
  address: plainText(50),
  userAgent: shownText(256),
  referrer: shownText(256),
});
export type CarriedVisit = z.infer<typeof carriedVisit>;

export const carriedVisits = z.object({
  visits: z.array(carriedVisit).max(maxReportedVisits),
  /** Names these visits: sent again under the same name, they are not counted again. Absent: an older gateway. */
  batch: plainText(64).optional(),
});
export type CarriedVisits = z.infer<typeof carriedVisits>;

/**
 * A run that is about to be stopped: the gateway sends it no new visits, and answers once those under way are
 * over.
 */
export const drain = z.object({
  drainId: count,
  projectId: id,
  runNumber: count,
  /** Longest wait for the visits under way. Absent: `defaultDrainSeconds.hold`. */
  seconds: drainSeconds.optional(),
  /** True to wait for WebSockets and streams of events, too, which end only when one side leaves. Absent: false. */
  hasStreams: z.boolean().optional(),
});
export type Drain = z.infer<typeof drain>;
