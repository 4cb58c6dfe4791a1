/** Decides which certificates gateways need, and who is to sign them. */

import type { Reader } from "../../store/store.ts";
import {
  listServableCertificates,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import { listProvenHostnames } from "../../store/tables/projects/domain.ts";
import { listSubdomains } from "../../store/tables/projects/site-subdomain.ts";
import { parentOf } from "../dns/parent-name.ts";
import type { CertificatesContext, ServedNames } from "./certificates-context.ts";
import { namesKey } from "./names-key.ts";
import { isFor } from "./own-certificate.ts";

/** A certificate that is to be ordered. */
export interface WantedCertificate {
  /** Host names, in order. */
  names: string[];
  /**
   * `cluster`: for central's own names, and for all sites with a wildcard; `site`: for one site below the site
   * domain, of which authorities give a limited number a week; `domain`: for a site's own domain.
   */
  scope: "cluster" | "site" | "domain";
  /** False for a domain whose proof is gone for long: its certificate stays, and none is ordered. */
  isProven: boolean;
}

type Wanting = Pick<CertificatesContext, "servedNames" | "acme" | "clock">;

/** Time before the end of a certificate that a domain's owner provided from which another is ordered. */
const orderedAheadMs = 2 * 24 * 60 * 60 * 1000;
/** Time without a domain's proof after which its certificate is not renewed. */
const unprovenMs = 7 * 24 * 60 * 60 * 1000;

const loopbackNames = ["127.0.0.1", "::1", "localhost"];

/** True when names below the site domain are ordered: the world knows no single labels. */
function isOrdered({ acme }: Wanting, name: string): boolean {
  return acme.servers.length > 0 && name.includes(".");
}

/**
 * Returns the names of each certificate that the local authority is to sign, in order: one for central's own
 * names, and for sites a wildcard. Browsers and OpenSSL accept no wildcard directly below a single label, so
 * below `localhost` each site has a certificate of its own.
 */
export async function wantedLocally(app: Wanting, db: Reader): Promise<string[][]> {
  const { siteDomain, panelHost } = app.servedNames;
  const own = [siteDomain, ...(panelHost === null ? [] : [panelHost])].filter(
    (name) => !isOrdered(app, name),
  );
  const named = [[...new Set([...loopbackNames, ...own])].sort()];
  if (isOrdered(app, siteDomain)) return named;
  if (siteDomain.includes(".")) return [...named, [`*.${siteDomain}`]];
  const subdomains = await listSubdomains(db);
  return [...named, ...subdomains.map((subdomain) => [`${subdomain}.${siteDomain}`])];
}

/**
 * Returns the certificates that are to be ordered: with a DNS hook a wildcard for all sites, else one each. Names
 * that are covered by a provided certificate are left out, unless its domain waits for its proof: anybody can
 * provide one for a name that is another's.
 */
export async function wantedOrders(app: Wanting, db: Reader): Promise<WantedCertificate[]> {
  const provided = (await listServableCertificates(db)).filter((row) => isProvided(row, app.clock.now()));
  const isCovered = (name: string) => provided.some(({ names }) => isFor(names, name));
  return (await allOrders(app, db)).filter(({ names }) => !names.every(isCovered));
}

/**
 * Returns those of the ordered certificates that nobody needs: their names are served no longer, or others that
 * gateways serve are good for them. What is ordered in their place may take long, or fail.
 */
export async function unneededCertificates(
  app: Wanting,
  db: Reader,
  { rows, wanted }: { rows: readonly CertificateRow[]; wanted: readonly WantedCertificate[] },
): Promise<CertificateRow[]> {
  const now = app.clock.now();
  const wantedKeys = new Set(wanted.map(({ names }) => namesKey(names)));
  const isWanted = ({ names }: CertificateRow) => wantedKeys.has(namesKey(names));
  const unwanted = rows.filter((row) => !isWanted(row));
  if (unwanted.length === 0) return [];
  const others = (await listServableCertificates(db)).filter(
    (row) => row.endsAt > now && (row.kind === "acme" ? isWanted(row) : isProvided(row, now)),
  );
  const covered = new Set(others.flatMap(({ names }) => names));
  const left = (await servedHostnames(app, db)).filter((name) => !isAmong(covered, name));
  const leftNames = new Set(left.flatMap((name) => [name, wildcardAbove(name)]));
  return unwanted.filter(({ names, endsAt }) => endsAt <= now || !names.some((name) => leftNames.has(name)));
}

/** Returns all names that visitors come to over HTTPS, whatever certificate is for them. */
async function servedHostnames({ servedNames, acme }: Wanting, db: Reader): Promise<string[]> {
  const { siteDomain, panelHost } = servedNames;
  const subdomains = acme.servers.length === 0 ? [] : await listSubdomains(db);
  return [
    ...(panelHost === null ? [] : [panelHost]),
    ...subdomains.map((subdomain) => `${subdomain}.${siteDomain}`),
    ...(await listProvenHostnames(db)).map(({ hostname }) => hostname),
  ];
}

/** True when one of the names is the host name, or a wildcard directly above it. */
function isAmong(names: ReadonlySet<string>, hostname: string): boolean {
  return names.has(hostname) || names.has(wildcardAbove(hostname));
}

function wildcardAbove(hostname: string): string {
  return `*.${parentOf(hostname)}`;
}

/** True for a certificate that an operator provided, or the owner of a domain, unless that one ends soon. */
function isProvided({ kind, endsAt }: CertificateRow, now: number): boolean {
  return kind === "own" || (kind === "domain" && endsAt > now + orderedAheadMs);
}

async function allOrders(app: Wanting, db: Reader): Promise<WantedCertificate[]> {
  if (app.acme.servers.length === 0) return [];
  const hasHook = app.acme.runHook !== null;
  const panelHost = panelToOrder(app, { hasWildcard: hasHook });
  const panel: WantedCertificate[] =
    panelHost === null ? [] : [{ names: [panelHost], scope: "cluster", isProven: true }];
  return [...panel, ...(await siteOrders(app, db)), ...(await domainOrders(app, db))];
}

async function siteOrders(app: Wanting, db: Reader): Promise<WantedCertificate[]> {
  const { siteDomain } = app.servedNames;
  if (!isOrdered(app, siteDomain)) return [];
  if (app.acme.runHook !== null)
    return [{ names: [`*.${siteDomain}`, siteDomain], scope: "cluster", isProven: true }];
  const subdomains = await listSubdomains(db);
  return subdomains.map((subdomain) => ({
    names: [`${subdomain}.${siteDomain}`],
    scope: "site",
    isProven: true,
  }));
}

/** Returns those of sites' own domains; a wildcard is proved by the hook alone. */
async function domainOrders({ acme, clock }: Wanting, db: Reader): Promise<WantedCertificate[]> {
  const since = clock.now() - unprovenMs;
  return (await listProvenHostnames(db))
    .filter(({ hostname }) => acme.runHook !== null || !hostname.startsWith("*."))
    .map(({ hostname, proofMissingSince }) => ({
      names: [hostname],
      scope: "domain",
      isProven: proofMissingSince === null || proofMissingSince > since,
    }));
}

/** Returns the panel's host, unless the certificate of the sites is good for it. */
function panelToOrder(app: Wanting, { hasWildcard }: { hasWildcard: boolean }): string | null {
  const { siteDomain, panelHost }: ServedNames = app.servedNames;
  if (panelHost === null || !isOrdered(app, panelHost)) return null;
  const isCovered = panelHost === siteDomain || parentOf(panelHost) === siteDomain;
  return hasWildcard && isCovered ? null : panelHost;
}
