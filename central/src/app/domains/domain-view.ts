/** Finds a domain of a project, and shows it to its owner: the records, what is missing, the certificate. */

import { X509Certificate } from "node:crypto";
import { AppError, orderFaults, type Domain, type DomainCertificate } from "@tijolo/protocol";
import { domainErrorMessage, orderFaultMessage } from "@tijolo/protocol/texts/central";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import type { Reader } from "../../store/store.ts";
import { listCertificates, type CertificateRow } from "../../store/tables/certificates/certificate.ts";
import { listFailedOrders } from "../../store/tables/certificates/certificate-order.ts";
import { findDomainOfAccount, type DomainRow } from "../../store/tables/projects/domain.ts";
import { isFor } from "../certificates/own-certificate.ts";
import type { Principal } from "../identity/caller.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { getOwned } from "../projects/project.ts";
import { wantedBy } from "./check-domain.ts";
import type { DomainsContext } from "./domains-context.ts";
import { hostnameOfRow, normalizeHostname, unicodeHostname } from "./hostname.ts";
import { recordsOf } from "./see-records.ts";

/** Throws `not_found` for a domain that this project does not have, and for what is no domain at all. */
export async function getDomain(
  db: Reader,
  { account, projectId, text }: { account: Principal["account"]; projectId: string; text: string },
): Promise<DomainRow> {
  await getOwned(db, account, projectId);
  const hostname = normalizeHostname(text);
  const row = hostname === null ? undefined : await findDomainOfAccount(db, account.id, hostname);
  if (row === undefined || row.projectId !== projectId) throw new AppError("not_found");
  return row;
}

/** Reads what the views of all domains need, and returns what makes them. */
export async function domainViewer(
  app: DomainsContext,
  language: TextLanguage,
): Promise<(row: DomainRow) => Domain> {
  const gateways = await app.domains.gateways.list();
  const certificates = await listCertificates(app.db);
  const faults = new Map(
    (await listFailedOrders(app.db)).flatMap(({ names, fault }) => names.map((name) => [name, fault])),
  );
  return (row) => {
    const { hostname, status, redirectTo, seen, error, checkedAt, createdAt } = row;
    return {
      hostname,
      unicodeHostname: unicodeHostname(hostnameOfRow(hostname)),
      status,
      redirectTo,
      records: recordsOf(wantedBy(app, row, gateways), seen),
      error: error === null ? null : { code: error.code, message: domainErrorMessage(error, language) },
      certificate: viewCertificate(app, row, { certificates, fault: faults.get(hostname), language }),
      checkedAt: isoOrNull(checkedAt),
      createdAt: new Date(createdAt).toISOString(),
    };
  };
}

/** Tells which certificate visitors of the domain get, or why they get none. */
function viewCertificate(
  { acme, clock }: Pick<DomainsContext, "acme" | "clock">,
  { id, hostname, status }: DomainRow,
  known: { certificates: readonly CertificateRow[]; fault: string | undefined; language: TextLanguage },
): DomainCertificate {
  const { certificates, language } = known;
  // An earlier program's fault that this one does not know counts as the authority's own.
  const fault =
    known.fault === undefined ? null : (orderFaults.find((each) => each === known.fault) ?? "refused");
  const error = fault === null ? null : { code: fault, message: orderFaultMessage(fault, language) };
  const now = clock.now();
  const fitting = certificates.filter(
    ({ kind, names, endsAt, domainId }) =>
      endsAt > now && (kind === "domain" ? domainId === id : isFor(names, hostname)),
  );
  const found = fitting.find(({ kind }) => kind === "domain") ?? fitting.at(-1);
  if (found !== undefined)
    return {
      status: status === "active" ? "active" : "pending",
      isOwn: found.kind === "domain",
      issuer: new X509Certificate(found.chain).issuer.replaceAll("\n", ", "),
      expiresAt: new Date(found.endsAt).toISOString(),
      error,
    };
  const how = acme.servers.length === 0 ? "none" : error === null ? "pending" : "failed";
  return { status: how, isOwn: false, issuer: null, expiresAt: null, error };
}
