/** Holds the SQL of the outbox of notices. */

import { noticeChannelNames, type NoticeChannelName } from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

const noticeChannelName = z.enum(noticeChannelNames);

export interface DeliveryKey {
  noticeId: string;
  channel: NoticeChannelName;
}

export interface DueDelivery extends DeliveryKey {
  accountId: string;
}

export async function insertDelivery(
  tx: Transaction,
  { noticeId, accountId, channel, at }: DueDelivery & { at: number },
): Promise<void> {
  await tx
    .insertInto("notice_delivery")
    .values({
      notice_id: noticeId,
      account_id: accountId,
      channel,
      tries: 0,
      next_try_at: at,
      created_at: at,
    })
    .execute();
}

export async function countDeliveries(db: Reader, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("notice_delivery")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns the deliveries that are due through these channels, at most one for each channel of an account, its
 * oldest: a channel with many that wait holds up no other.
 */
export async function listDueDeliveries(
  db: Reader,
  { channels, now, limit }: { channels: readonly NoticeChannelName[]; now: number; limit: number },
): Promise<DueDelivery[]> {
  const rows = await db
    .selectFrom("notice_delivery")
    .select((select) => ["account_id", "channel", select.fn.min("notice_id").as("notice_id")])
    .where("next_try_at", "<=", now)
    .where("channel", "in", channels)
    .groupBy(["account_id", "channel"])
    .orderBy((order) => order.fn.min("next_try_at"))
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    noticeId: row.notice_id,
    accountId: row.account_id,
    channel: noticeChannelName.parse(row.channel),
  }));
}

/**
 * Begins a try: until `leaseUntil` nobody else begins another. Returns which try it is and how long the
 * delivery has waited for; undefined when it is not due any more.
 */
export async function claimDelivery(
  tx: Transaction,
  { noticeId, channel, now, leaseUntil }: DeliveryKey & { now: number; leaseUntil: number },
): Promise<{ tries: number; createdAt: number } | undefined> {
  const row = await tx
    .updateTable("notice_delivery")
    .set((update) => ({ next_try_at: leaseUntil, tries: update("tries", "+", 1) }))
    .where("notice_id", "=", noticeId)
    .where("channel", "=", channel)
    .where("next_try_at", "<=", now)
    .returning(["tries", "created_at"])
    .executeTakeFirst();
  return row === undefined ? undefined : { tries: row.tries, createdAt: row.created_at };
}

export async function putOffDelivery(
  tx: Transaction,
  { noticeId, channel, until }: DeliveryKey & { until: number },
): Promise<void> {
  await tx
    .updateTable("notice_delivery")
    .set({ next_try_at: until })
    .where("notice_id", "=", noticeId)
    .where("channel", "=", channel)
    .execute();
}

/** Lets nothing go through the channel before `until`. */
export async function putOffChannel(
  tx: Transaction,
  { accountId, channel, until }: { accountId: string; channel: NoticeChannelName; until: number },
): Promise<void> {
  await tx
    .updateTable("notice_delivery")
    .set({ next_try_at: until })
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .where("next_try_at", "<", until)
    .execute();
}

export async function deleteDelivery(tx: Transaction, { noticeId, channel }: DeliveryKey): Promise<void> {
  await tx
    .deleteFrom("notice_delivery")
    .where("notice_id", "=", noticeId)
    .where("channel", "=", channel)
    .execute();
}

export async function deleteDeliveriesOfChannel(
  tx: Transaction,
  { accountId, channel }: { accountId: string; channel: NoticeChannelName },
): Promise<void> {
  await tx
    .deleteFrom("notice_delivery")
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Removes deliveries of notices below the id, at most `limit`; returns how many. */
export async function deleteDeliveriesBelow(
  tx: Transaction,
  belowNoticeId: string,
  limit: number,
): Promise<number> {
  const old = await tx
    .selectFrom("notice_delivery")
    .select(["notice_id", "channel"])
    .where("notice_id", "<", belowNoticeId)
    .orderBy("notice_id")
    .limit(limit)
    .execute();
  for (const row of old) {
    await tx
      .deleteFrom("notice_delivery")
      .where("notice_id", "=", row.notice_id)
      .where("channel", "=", row.channel)
      .execute();
  }
  return old.length;
}
