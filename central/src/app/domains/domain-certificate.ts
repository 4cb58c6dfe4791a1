/** Stores and removes the certificate that the owner of a domain provides. */

import { AppError, type Domain } from "@tijolo/protocol";
import { transact, type Transaction } from "../../store/store.ts";
import {
  deleteCertificate,
  findCertificateOfDomain,
  insertCertificate,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import type { DomainRow } from "../../store/tables/projects/domain.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import { recordActivity } from "../accounts/activity.ts";
import { assertInGoodStanding } from "../accounts/quota.ts";
import { sealCertificate } from "../certificates/new-certificate.ts";
import { readOwnCertificate, type GivenCertificate } from "../certificates/own-certificate.ts";
import { fingerprintOf } from "../certificates/x509/fingerprint.ts";
import type { Principal } from "../identity/caller.ts";
import { getOwned } from "../projects/project.ts";
import { domainViewer, getDomain } from "./domain-view.ts";
import type { DomainsContext } from "./domains-context.ts";

/**
 * Stores the certificate, for the domain's name alone whatever other names it states. Throws
 * `invalid_certificate`; `variables_unavailable` without a master key.
 */
export async function setDomainCertificate(
  app: DomainsContext,
  principal: Principal,
  projectId: string,
  text: string,
  given: GivenCertificate,
): Promise<Domain> {
  const { account, language } = principal;
  const { hostname } = await getDomain(app.db, { account, projectId, text });
  const { chain, privateKey } = readOwnCertificate(given, { now: app.clock.now(), hostname });
  const row = await transact(app.db, async (tx) => {
    assertInGoodStanding((await getAccountNow(app, tx, account.id)).account);
    const domain = await getDomain(tx, { account, projectId, text });
    const before = await findCertificateOfDomain(tx, domain.id);
    const parts = { kind: "domain", names: [hostname], chain, privateKey, renewal: null } as const;
    const certificate = sealCertificate(app, { ...parts, domainId: domain.id });
    if (before !== undefined) await deleteCertificate(tx, before.id);
    await insertCertificate(tx, certificate);
    await record(app, tx, { principal, domain, before, after: certificate });
    return domain;
  });
  return (await domainViewer(app, language))(row);
}

/** Throws `not_found` for a domain whose owner brought none. */
export async function removeDomainCertificate(
  app: DomainsContext,
  principal: Principal,
  projectId: string,
  text: string,
): Promise<void> {
  await transact(app.db, async (tx) => {
    const domain = await getDomain(tx, { account: principal.account, projectId, text });
    const before = await findCertificateOfDomain(tx, domain.id);
    if (before === undefined) throw new AppError("not_found");
    await deleteCertificate(tx, before.id);
    await record(app, tx, { principal, domain, before, after: undefined });
  });
}

interface Change {
  principal: Principal;
  domain: DomainRow;
  before: CertificateRow | undefined;
  after: CertificateRow | undefined;
}

async function record(
  app: DomainsContext,
  tx: Transaction,
  { principal: { account, actor }, domain: { projectId, hostname }, before, after }: Change,
): Promise<void> {
  await recordActivity(app, tx, {
    accountId: account.id,
    actor,
    action: "domain.certificate",
    project: await getOwned(tx, account, projectId),
    before: { hostname, ...fieldsOf(before) },
    after: { hostname, ...fieldsOf(after) },
  });
}

function fieldsOf(row: CertificateRow | undefined): Record<string, string | null> {
  if (row === undefined) return { fingerprint: null, expiresAt: null };
  return { fingerprint: fingerprintOf(row.chain), expiresAt: new Date(row.endsAt).toISOString() };
}
