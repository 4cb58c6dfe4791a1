/**
 * Records when central's database was last found to be older than what central had written: restored from a
 * backup, here or on another machine.
 */

import { findSetting, saveSetting } from "../../store/tables/setting.ts";
import type { Transaction } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";

/** Milliseconds after a restore in which hosts may still come back that know more than the database. */
export const restoredForMs = 30 * 24 * 60 * 60 * 1000;

export async function saveRestored(tx: Transaction, now: number): Promise<void> {
  await saveSetting(tx, "restored_at", String(now));
}

/** True for 30 days after a restore. */
export async function isRestoredLately({ db, clock }: Pick<BaseContext, "db" | "clock">): Promise<boolean> {
  const restoredAt = Number((await findSetting(db, "restored_at")) ?? Number.NEGATIVE_INFINITY);
  return clock.now() - restoredAt < restoredForMs;
}
