/** Shows operators the certificates that gateways serve, and stores those that they provide. */

import { X509Certificate } from "node:crypto";
import {
  AppError,
  orderFaults,
  type ClusterCertificate,
  type FailedCertificateOrder,
} from "@tijolo/protocol";
import { transact } from "../../store/store.ts";
import { listFailedOrders, type FailedOrder } from "../../store/tables/certificates/certificate-order.ts";
import {
  deleteCertificate,
  insertCertificate,
  listCertificates as selectCertificates,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { recordAudit } from "../operators/audit.ts";
import type { CertificatesContext } from "./certificates-context.ts";
import { defaultRenewal } from "./default-renewal.ts";
import { namesKey } from "./names-key.ts";
import { openPrivateKey, sealCertificate } from "./new-certificate.ts";
import { dueOrders } from "./orders/due-orders.ts";
import { readOwnCertificate, type GivenCertificate } from "./own-certificate.ts";
import { wantedOrders } from "./wanted-certificates.ts";
import { fingerprintOf } from "./x509/fingerprint.ts";

export async function listCertificates(app: CertificatesContext): Promise<{
  certificates: ClusterCertificate[];
  failedOrders: FailedCertificateOrder[];
  waitingNames: string[];
}> {
  const rows = await selectCertificates(app.db);
  const ordered = rows.filter(({ kind }) => kind === "acme");
  const wanted = await wantedOrders(app, app.db);
  return {
    certificates: rows.map((row) => viewCertificate(app, row)),
    failedOrders: (await listFailedOrders(app.db)).map(viewOrder),
    waitingNames: (await dueOrders(app, { rows: ordered, wanted })).waitingNames,
  };
}

/** Stores an operator's certificate. Throws `invalid_certificate`; `variables_unavailable` without a master key. */
export async function setCertificate(
  app: CertificatesContext,
  operator: OperatorActor,
  given: GivenCertificate,
): Promise<ClusterCertificate> {
  const own = readOwnCertificate(given, { now: app.clock.now(), hostname: null });
  const row = sealCertificate(app, { ...own, kind: "own", renewal: null });
  await transact(app.db, async (tx) => {
    const before = (await selectCertificates(tx)).filter((each) => isSameOwn(each, row));
    for (const { id } of before) await deleteCertificate(tx, id);
    await insertCertificate(tx, row);
    await recordAudit(app, tx, operator, {
      subject: { kind: "certificate", id: row.id, name: row.names.join(", ") },
      before: { fingerprint: before[0] === undefined ? null : fingerprintOf(before[0].chain) },
      after: { fingerprint: fingerprintOf(row.chain), expiresAt: isoOf(row.endsAt) },
    });
  });
  return viewCertificate(app, row);
}

/** Throws `not_found` for what is no operator's certificate. */
export async function removeCertificate(
  app: CertificatesContext,
  operator: OperatorActor,
  certificateId: string,
): Promise<void> {
  await transact(app.db, async (tx) => {
    const row = (await selectCertificates(tx)).find(({ id, kind }) => id === certificateId && kind === "own");
    if (row === undefined) throw new AppError("not_found");
    await deleteCertificate(tx, row.id);
    await recordAudit(app, tx, operator, {
      subject: { kind: "certificate", id: row.id, name: row.names.join(", ") },
      before: { fingerprint: fingerprintOf(row.chain) },
      after: { fingerprint: null },
    });
  });
}

function isSameOwn(row: CertificateRow, other: CertificateRow): boolean {
  return row.kind === "own" && namesKey(row.names) === namesKey(other.names);
}

function viewCertificate(app: CertificatesContext, row: CertificateRow): ClusterCertificate {
  const { id, kind, names, beginsAt, endsAt, renewal } = row;
  if (kind === "authority") throw new Error("the authority is no certificate that gateways serve");
  const renewsAt =
    renewal?.renewAt ?? (kind === "own" || kind === "domain" ? null : defaultRenewal({ beginsAt, endsAt }));
  return {
    id,
    kind,
    names,
    issuer: new X509Certificate(row.chain).issuer.replaceAll("\n", ", "),
    fingerprint: fingerprintOf(row.chain),
    expiresAt: isoOf(endsAt),
    renewsAt: renewsAt === null ? null : isoOf(renewsAt),
    isReadable: openPrivateKey(app, row) !== null,
  };
}

function viewOrder({
  names,
  fault,
  detail,
  failures,
  failedAt,
  nextTryAt,
}: FailedOrder): FailedCertificateOrder {
  return {
    names,
    // An earlier program's fault that this one does not know is shown as the authority's own.
    fault: orderFaults.find((known) => known === fault) ?? "refused",
    detail,
    failures,
    failedAt: isoOf(failedAt),
    nextTryAt: isoOf(nextTryAt),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
