/** Writes what came of an order: the certificate, or why there is none and when the next try comes. */

import type { KeyObject } from "node:crypto";
import { transact } from "../../../store/store.ts";
import {
  deleteFailedOrder,
  insertFailures,
  insertSiteIssue,
  saveFailedOrder,
} from "../../../store/tables/certificates/certificate-order.ts";
import {
  deleteCertificate,
  insertCertificate,
  listCertificates,
  type CertificateRenewal,
} from "../../../store/tables/certificates/certificate.ts";
import { AcmeError } from "../acme/acme-error.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { namesKey } from "../names-key.ts";
import { newCertificate } from "../new-certificate.ts";
import type { DueOrder } from "./due-orders.ts";
import type { OrderFailure } from "./order-error.ts";
import { failureWindowMs, nextTryAt, siteWindowMs } from "./order-policy.ts";

/** Stores the certificate in the place of the current one, and forgets the failures of its names. */
export async function saveIssued(
  app: CertificatesContext,
  { wanted, current }: DueOrder,
  { chain, privateKey, renewal }: { chain: string; privateKey: KeyObject; renewal: CertificateRenewal },
): Promise<void> {
  const { names, scope } = wanted;
  const row = newCertificate(app, { kind: "acme", names, chain, privateKey, renewal });
  const now = app.clock.now();
  await transact(app.db, async (tx) => {
    await deleteFailedOrder(tx, names);
    for (const old of await listCertificates(tx))
      if (old.kind === "acme" && namesKey(old.names) === namesKey(names)) await deleteCertificate(tx, old.id);
    await insertCertificate(tx, row);
    if (scope === "site" && current === null)
      await insertSiteIssue(tx, { names, at: now, keptSince: now - siteWindowMs });
  });
  const until = new Date(row.endsAt).toISOString();
  app.logger.info({ names, directory: renewal.directory, until }, "a certificate was issued");
}

/** Counts the failure; after each one in a row the pause is longer. */
export async function saveFailure(
  { db, clock }: CertificatesContext,
  { wanted, failed }: DueOrder,
  failure: OrderFailure,
): Promise<void> {
  const now = clock.now();
  const failures = (failed?.failures ?? 0) + 1;
  const retryAt = failure instanceof AcmeError ? failure.retryAt : null;
  await transact(db, async (tx) => {
    await saveFailedOrder(tx, {
      names: wanted.names,
      failures,
      nextTryAt: nextTryAt(now, { failures, retryAt }),
      fault: failure.fault,
      detail: failure.message,
      failedAt: now,
    });
    await insertFailures(tx, { names: wanted.names, at: now, keptSince: now - failureWindowMs });
  });
}
