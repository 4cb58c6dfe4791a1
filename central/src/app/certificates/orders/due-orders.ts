/** Decides which orders of certificates may begin now. */

import {
  countSiteIssues,
  listFailedOrders,
  listNamesFailing,
  type FailedOrder,
} from "../../../store/tables/certificates/certificate-order.ts";
import type { CertificateRow } from "../../../store/tables/certificates/certificate.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { namesKey } from "../names-key.ts";
import type { WantedCertificate } from "../wanted-certificates.ts";
import { failureWindowMs, maxFailuresPerName, maxSiteIssues, siteWindowMs } from "./order-policy.ts";

/** A set of names whose order is due. */
export interface DueOrder {
  wanted: WantedCertificate;
  /** Certificate that the order replaces; null: there is none yet. */
  current: CertificateRow | null;
  failed: FailedOrder | null;
}

/**
 * Returns the orders, first those whose certificate ends soonest, and the names of new sites that wait because others
 * have had all that is ordered in a week.
 */
export async function dueOrders(
  { db, clock }: Pick<CertificatesContext, "db" | "clock">,
  { rows, wanted }: { rows: readonly CertificateRow[]; wanted: readonly WantedCertificate[] },
): Promise<{ due: DueOrder[]; waitingNames: string[] }> {
  const now = clock.now();
  const failedOrders = new Map((await listFailedOrders(db)).map((each) => [namesKey(each.names), each]));
  const since = now - failureWindowMs;
  const failing = await listNamesFailing(db, { since, atLeast: maxFailuresPerName });
  let sitesLeft = maxSiteIssues - (await countSiteIssues(db, now - siteWindowMs));
  const waitingNames: string[] = [];
  const due: DueOrder[] = [];
  for (const each of wanted) {
    const key = namesKey(each.names);
    const current = rows.findLast(({ names }) => namesKey(names) === key) ?? null;
    const failed = failedOrders.get(key) ?? null;
    if (!each.isProven) continue;
    if (failed !== null && now < failed.nextTryAt) continue;
    if (each.names.some((name) => failing.has(name))) continue;
    if (current?.renewal != null && now < current.renewal.renewAt) continue;
    if (each.scope === "site" && current === null && sitesLeft-- <= 0) waitingNames.push(...each.names);
    else due.push({ wanted: each, current, failed });
  }
  due.sort((a, b) => (a.current?.endsAt ?? Infinity) - (b.current?.endsAt ?? Infinity));
  return { due, waitingNames };
}
