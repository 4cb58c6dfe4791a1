/** Holds the SQL of subdomains that were given up: for a time nobody but their account may have them. */

import type { Reader, Transaction } from "../../store.ts";

/** Keeps a subdomain for the account until then, whoever it was kept for before. */
export async function keepSubdomain(
  tx: Transaction,
  { subdomain, accountId, keptUntil }: { subdomain: string; accountId: string; keptUntil: number },
): Promise<void> {
  const kept = { account_id: accountId, kept_until: keptUntil };
  await tx
    .insertInto("kept_subdomain")
    .values({ subdomain, ...kept })
    .onConflict((conflict) => conflict.column("subdomain").doUpdateSet(kept))
    .execute();
}

/** Returns the account that a subdomain is kept for at this time. */
export async function findSubdomainKeeper(
  db: Reader,
  subdomain: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("kept_subdomain")
    .select("account_id")
    .where("subdomain", "=", subdomain)
    .where("kept_until", ">", now)
    .executeTakeFirst();
  return row?.account_id;
}

/** Forgets what is kept no longer, at most `limit`; returns how many. */
export async function deleteSubdomainsKeptBefore(
  tx: Transaction,
  now: number,
  limit: number,
): Promise<number> {
  const result = await tx
    .deleteFrom("kept_subdomain")
    .where("subdomain", "in", (select) =>
      select
        .selectFrom("kept_subdomain")
        .select("subdomain")
        .where("kept_until", "<=", now)
        .orderBy("kept_until")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
