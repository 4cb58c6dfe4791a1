/**
 * Removes old records, a little at a time. Activity and the record of operators' changes are kept for 180
 * days, and a revoked key as long as the activity that names it; notices and announcements for 90 days, what
 * waits in the outbox of notices for two, exits, failures and what versions replaced for 30, invitations of
 * hosts until they expire.
 */

import { makeId } from "@tijolo/protocol";
import { deleteActivityBelow } from "../../store/tables/accounts/activity.ts";
import { deleteAnnouncementsBelow } from "../../store/tables/notices/announcement.ts";
import { deleteAuditBelow } from "../../store/tables/operators/audit.ts";
import { deleteExitsBefore } from "../../store/tables/projects/exit.ts";
import { deleteExpiredJoinTokens } from "../../store/tables/hosts/host.ts";
import { deleteKeysRevokedBefore } from "../../store/tables/people/key.ts";
import { deleteDeliveriesBelow } from "../../store/tables/notices/notice-delivery.ts";
import { deleteNoticesBelow } from "../../store/tables/notices/notice.ts";
import { deleteProjectEventsBelow } from "../../store/tables/projects/project-event.ts";
import { deleteSubdomainsKeptBefore } from "../../store/tables/projects/kept-subdomain.ts";
import { deleteReplacedFilesBefore } from "../../store/tables/projects/replaced-files.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";

const dayMs = 86_400_000;
const activityKeptMs = 180 * dayMs;
const noticesKeptMs = 90 * dayMs;
/** Milliseconds that a delivery is kept: longer than until the answer to its last try. */
const deliveriesKeptMs = 2 * dayMs;
const endsKeptMs = 30 * dayMs;
const deletedAtOnce = 500;
const batchesPerRun = 20;

/** Removes some of what is too old; a run may leave some for the next. */
export async function collectHistory(app: Pick<BaseContext, "db" | "clock">): Promise<void> {
  const now = app.clock.now();
  const oldestActivity = idBefore(now - activityKeptMs);
  const oldestNotice = idBefore(now - noticesKeptMs);
  await inBatches(app, (tx) => deleteActivityBelow(tx, oldestActivity, deletedAtOnce));
  await inBatches(app, (tx) => deleteAuditBelow(tx, oldestActivity, deletedAtOnce));
  await inBatches(app, (tx) => deleteKeysRevokedBefore(tx, now - activityKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteExitsBefore(tx, now - endsKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteReplacedFilesBefore(tx, now - endsKeptMs, deletedAtOnce));
  await inBatches(app, (tx) => deleteProjectEventsBelow(tx, idBefore(now - endsKeptMs), deletedAtOnce));
  await inBatches(app, (tx) => deleteSubdomainsKeptBefore(tx, now, deletedAtOnce));
  await inBatches(app, (tx) => deleteExpiredJoinTokens(tx, now, deletedAtOnce));
  await inBatches(app, (tx) => deleteDeliveriesBelow(tx, idBefore(now - deliveriesKeptMs), deletedAtOnce));
  await inBatches(app, (tx) => deleteNoticesBelow(tx, oldestNotice, deletedAtOnce));
  await inBatches(app, (tx) => deleteAnnouncementsBelow(tx, oldestNotice, deletedAtOnce));
}

/** Returns an id that sorts before all ids of this time. */
function idBefore(ms: number): string {
  return makeId(Math.max(0, ms), new Uint8Array(10));
}

async function inBatches(
  { db }: Pick<BaseContext, "db">,
  deleteSome: (tx: Transaction) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if ((await transact(db, deleteSome)) < deletedAtOnce) return;
  }
}
