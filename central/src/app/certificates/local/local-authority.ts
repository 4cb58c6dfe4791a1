/**
 * Keeps the authority of this cluster, which signs what no public one does: names below `localhost`, and all
 * of a cluster that orders nothing outside. It can sign for the cluster's own domains only, so that whoever
 * trusts it trusts nothing else.
 */

import { createHash, createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import type { LocalAuthority } from "@tijolo/protocol";
import { AppError } from "@tijolo/protocol";
import { transact } from "../../../store/store.ts";
import {
  deleteCertificate,
  findAuthorityRow,
  insertCertificate,
  type CertificateRow,
} from "../../../store/tables/certificates/certificate.ts";
import type { CertificatesContext, ServedNames } from "../certificates-context.ts";
import { namesKey } from "../names-key.ts";
import { newCertificate, newPrivateKey, openPrivateKey } from "../new-certificate.ts";
import { fingerprintOf } from "../x509/fingerprint.ts";
import { signAuthority, signServer, type Issuer } from "../x509/sign-certificate.ts";

const dayMs = 24 * 60 * 60 * 1000;
const authorityMs = 3_652 * dayMs;
/** Time before its end when the authority's certificate is made anew, with the same key. */
const authorityAheadMs = 365 * dayMs;
/** Lifetime of what the authority signs: browsers refuse more than 398 days of some authorities. */
const serverMs = 90 * dayMs;
/** Time by which certificates are dated back, for machines whose clock is behind. */
const datedBackMs = dayMs;

/** An authority that can sign: its private key opens. */
export interface OpenAuthority {
  row: CertificateRow;
  issuer: Issuer;
}

/**
 * Returns the authority; the first call makes it. Its certificate is signed anew, by the same key and name, when
 * the cluster's domains changed or its end is near. Returns null while its key cannot be opened.
 */
export async function ensureAuthority(app: CertificatesContext): Promise<OpenAuthority | null> {
  const domains = authorityDomains(app.servedNames);
  const known = await findAuthorityRow(app.db);
  const key = known === undefined ? newPrivateKey() : openedKey(app, known);
  if (key === null || (known === undefined && app.vault.currentKeyId === undefined)) return null;
  // With another name it would be another authority to those who have pinned its first certificate.
  const name = known === undefined ? authorityName(app.servedNames.siteDomain, key) : nameOf(known);
  const issuer = { name, privateKey: key };
  const isGood =
    known !== undefined &&
    namesKey(known.names) === namesKey(domains) &&
    app.clock.now() < known.endsAt - authorityAheadMs;
  if (isGood) return { row: known, issuer };
  const row = newCertificate(app, {
    kind: "authority",
    names: domains,
    chain: signAuthority(issuer, { domains, validity: validityFor(app, authorityMs), random: app.random }),
    privateKey: key,
    renewal: null,
  });
  const saved = await transact(app.db, async (tx) => {
    const present = await findAuthorityRow(tx);
    if (present?.id !== known?.id) return present;
    if (known !== undefined) await deleteCertificate(tx, known.id);
    await insertCertificate(tx, row);
    return row;
  });
  if (saved?.id !== row.id) return ensureAuthority(app);
  app.logger.info({ domains, fingerprint: fingerprintOf(row.chain) }, "the local authority was made");
  return { row, issuer };
}

/** Returns a new certificate for a server, signed by the authority. */
export function issueLocally(
  app: CertificatesContext,
  { row, issuer }: OpenAuthority,
  names: readonly string[],
): CertificateRow {
  const key = newPrivateKey();
  const validity = validityFor(app, serverMs);
  const certificate = signServer(issuer, {
    names,
    publicKey: createPublicKey(key),
    validity: { ...validity, endsAt: Math.min(validity.endsAt, row.endsAt) },
    random: app.random,
  });
  return newCertificate(app, {
    kind: "local",
    names,
    chain: certificate + row.chain,
    privateKey: key,
    renewal: null,
  });
}

/** Shows the authority to an operator. Throws `not_found` while there is none. */
export async function getAuthority({ db }: Pick<CertificatesContext, "db">): Promise<LocalAuthority> {
  const row = await findAuthorityRow(db);
  if (row === undefined) throw new AppError("not_found");
  const { publicKey } = new X509Certificate(row.chain);
  return {
    certificate: row.chain,
    name: nameOf(row),
    domains: row.names,
    fingerprint: fingerprintOf(row.chain),
    keyFingerprint: createHash("sha256")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest("hex"),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: new Date(row.endsAt).toISOString(),
  };
}

/** Returns the domains that the authority may sign for, with all that lies below them. */
function authorityDomains({ siteDomain, panelHost }: ServedNames): string[] {
  return [...new Set(["localhost", siteDomain, ...(panelHost === null ? [] : [panelHost])])].sort();
}

function openedKey(app: CertificatesContext, row: CertificateRow): KeyObject | null {
  const pem = openPrivateKey(app, row);
  return pem === null ? null : createPrivateKey(pem);
}

/** Names the authority so that two clusters' are told apart in a browser's list. */
function authorityName(siteDomain: string, privateKey: KeyObject): string {
  const key = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const mark = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return `Tijolo ${siteDomain.slice(0, 40)} ${mark}`;
}

/** Returns the name in the authority's certificate. */
function nameOf({ chain }: CertificateRow): string {
  return new X509Certificate(chain).subject.replace(/^CN=/, "");
}

function validityFor({ clock }: CertificatesContext, lengthMs: number) {
  const now = clock.now();
  return { beginsAt: now - datedBackMs, endsAt: now + lengthMs };
}
