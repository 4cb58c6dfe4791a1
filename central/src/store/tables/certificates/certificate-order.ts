/** Reads and writes what is counted about orders of certificates: failures, pauses, first issues. */

import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

const nameList = z.array(z.string());

/** Orders of one set of names that failed since the last success. */
export interface FailedOrder {
  names: string[];
  failures: number;
  nextTryAt: number;
  fault: string;
  detail: string;
  failedAt: number;
}

export async function listFailedOrders(db: Reader): Promise<FailedOrder[]> {
  const rows = await db.selectFrom("certificate_order").selectAll().orderBy("names").execute();
  return rows.map((row) => ({
    names: nameList.parse(JSON.parse(row.names)),
    failures: row.failures,
    nextTryAt: row.next_try_at,
    fault: row.fault,
    detail: row.detail,
    failedAt: row.failed_at,
  }));
}

export async function saveFailedOrder(tx: Transaction, order: FailedOrder): Promise<void> {
  const columns = {
    failures: order.failures,
    next_try_at: order.nextTryAt,
    fault: order.fault,
    detail: order.detail,
    failed_at: order.failedAt,
  };
  await tx
    .insertInto("certificate_order")
    .values({ names: JSON.stringify(order.names), ...columns })
    .onConflict((conflict) => conflict.column("names").doUpdateSet(columns))
    .execute();
}

export async function deleteFailedOrder(tx: Transaction, names: readonly string[]): Promise<void> {
  await tx.deleteFrom("certificate_order").where("names", "=", JSON.stringify(names)).execute();
}

/** Counts a failure for each of the names, and forgets those from before `keptSince`. */
export async function insertFailures(
  tx: Transaction,
  { names, at, keptSince }: { names: readonly string[]; at: number; keptSince: number },
): Promise<void> {
  await tx.deleteFrom("certificate_failure").where("at", "<", keptSince).execute();
  await tx
    .insertInto("certificate_failure")
    .values(names.map((name) => ({ name, at })))
    .execute();
}

/** Returns the names that failed at least so many times since then. */
export async function listNamesFailing(
  db: Reader,
  { since, atLeast }: { since: number; atLeast: number },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("certificate_failure")
    .select("name")
    .where("at", ">=", since)
    .groupBy("name")
    .having((having) => having.fn.countAll(), ">=", atLeast)
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Counts the first certificate of a site, and forgets those from before `keptSince`. */
export async function insertSiteIssue(
  tx: Transaction,
  { names, at, keptSince }: { names: readonly string[]; at: number; keptSince: number },
): Promise<void> {
  await tx.deleteFrom("site_certificate_issue").where("at", "<", keptSince).execute();
  await tx
    .insertInto("site_certificate_issue")
    .values({ names: JSON.stringify(names), at })
    .execute();
}

export async function countSiteIssues(db: Reader, since: number): Promise<number> {
  const row = await db
    .selectFrom("site_certificate_issue")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("at", ">=", since)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
