/**
 * Sends a notice before a certificate expires without a replacement: to the domain's account, otherwise to the
 * operators.
 */

import { transact, type Transaction } from "../../store/store.ts";
import { listFailedOrders } from "../../store/tables/certificates/certificate-order.ts";
import {
  listServableCertificates,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import { findNewestNotice } from "../../store/tables/notices/notice.ts";
import { listOperatorPeople } from "../../store/tables/operators/operator-person.ts";
import { findAccountOfDomain } from "../../store/tables/projects/domain.ts";
import { noteNotice } from "../notices/note-notice.ts";
import type { CertificatesContext } from "./certificates-context.ts";
import { namesKey } from "./names-key.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Days before the end at which a notice is given: of one that nobody renews, and of one whose order fails. */
const daysOfProvided = [30, 7, 2];
const daysOfOrdered = [7, 2];

export async function noteEndingCertificates(app: CertificatesContext): Promise<void> {
  const now = app.clock.now();
  const failing = new Set((await listFailedOrders(app.db)).map(({ names }) => namesKey(names)));
  for (const row of await listServableCertificates(app.db)) {
    const isFailing = row.kind === "acme" && failing.has(namesKey(row.names));
    const isProvided = row.kind === "own" || row.kind === "domain";
    if (!isProvided && !isFailing) continue;
    const left = row.endsAt - now;
    const days = (isProvided ? daysOfProvided : daysOfOrdered).findLast((each) => left <= each * dayMs);
    if (days !== undefined) await transact(app.db, (tx) => noteOnce(app, tx, { row, days }));
  }
}

/** Makes the notice, unless there is one for this certificate and number of days. */
async function noteOnce(
  app: CertificatesContext,
  tx: Transaction,
  { row, days }: { row: CertificateRow; days: number },
): Promise<void> {
  const subject = `${row.id} ${days}`;
  const endsAt = new Date(row.endsAt).toISOString();
  const content = { kind: "certificate_ending", names: row.names.join(", "), endsAt } as const;
  for (const accountId of await accountsOf(tx, row)) {
    const known = await findNewestNotice(tx, { accountId, kind: content.kind, subject });
    if (known === undefined) await noteNotice(app, tx, { accountId, subject, content });
  }
}

async function accountsOf(tx: Transaction, { kind, names }: CertificateRow): Promise<string[]> {
  const [name = ""] = names;
  const isOfDomain = kind === "acme" || kind === "domain";
  const owner = isOfDomain ? await findAccountOfDomain(tx, name) : undefined;
  if (owner !== undefined) return [owner];
  const people = await listOperatorPeople(tx);
  return people.filter(({ role }) => role !== "viewer").map(({ accountId }) => accountId);
}
