/**
 * Removes old records, a little at a time. Activity and the record of operators' changes are kept for 180
 * days, and a revoked key as long as the activity that names it; exits, and what versions replaced, for 30
 * days, invitations of hosts until they expire.
 */

import { makeId } from "@tijolo/protocol";
import { deleteActivityBelow } from "../../store/tables/activity.ts";
import { deleteAuditBelow } from "../../store/tables/audit.ts";
import { deleteExitsBefore } from "../../store/tables/exit.ts";
import { deleteExpiredJoinTokens } from "../../store/tables/host.ts";
import { deleteKeysRevokedBefore } from "../../store/tables/key.ts";
import { deleteReplacedFilesBefore } from "../../store/tables/replaced-files.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";

const dayMs = 86_400_000;
const activityKeptMs = 180 * dayMs;
const exitsKeptMs = 30 * dayMs;
const deletedAtOnce = 500;
const batchesPerRun = 20;

/** Removes some of what is too old; a run may leave some for the next. */
export async function collectHistory(app: Pick<BaseContext, "db" | "clock">): Promise<void> {
  const now = app.clock.now();
  const oldestActivity = makeId(Math.max(0, now - activityKeptMs), new Uint8Array(10));
  await inBatches(app, (tx) => deleteActivityBelow(tx, oldestActivity, deletedAtOnce));
  await inBatches(app, (tx) => deleteAuditBelow(tx, oldestActivity, deletedAtOnce));
  await inBatches(app, (tx) => deleteKeysRevokedBefore(tx, now - activityKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteExitsBefore(tx, now - exitsKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteReplacedFilesBefore(tx, now - exitsKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteExpiredJoinTokens(tx, now, deletedAtOnce));
}

async function inBatches(
  { db }: Pick<BaseContext, "db">,
  deleteSome: (tx: Transaction) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if ((await transact(db, deleteSome)) < deletedAtOnce) return;
  }
}
