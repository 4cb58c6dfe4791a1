/** Holds the SQL of the windows in which an account's requests are counted. */

import type { Reader, Transaction } from "../../store.ts";

export interface RateWindows {
  accountId: string;
  minute: { startedAt: number; used: number };
  day: { startedAt: number; used: number };
}

export async function findRateWindows(db: Reader, accountId: string): Promise<RateWindows | undefined> {
  const row = await db
    .selectFrom("rate_window")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    accountId,
    minute: { startedAt: row.minute_started_at, used: row.minute_used },
    day: { startedAt: row.day_started_at, used: row.day_used },
  };
}

export async function saveRateWindows(tx: Transaction, windows: readonly RateWindows[]): Promise<void> {
  await tx
    .insertInto("rate_window")
    .values(
      windows.map(({ accountId, minute, day }) => ({
        account_id: accountId,
        minute_started_at: minute.startedAt,
        minute_used: minute.used,
        day_started_at: day.startedAt,
        day_used: day.used,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((set) => ({
        minute_started_at: set.ref("excluded.minute_started_at"),
        minute_used: set.ref("excluded.minute_used"),
        day_started_at: set.ref("excluded.day_started_at"),
        day_used: set.ref("excluded.day_used"),
      })),
    )
    .execute();
}

/** Deletes the windows whose day began at `startedUntil` or before. */
export async function deleteRateWindows(tx: Transaction, startedUntil: number): Promise<void> {
  await tx.deleteFrom("rate_window").where("day_started_at", "<=", startedUntil).execute();
}
