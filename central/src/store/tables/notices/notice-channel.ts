/** Holds the SQL of the channels that carry notices. Their addresses are stored sealed. */

import {
  deliveryErrorCode,
  noticeChannelNames,
  sentNoticeKinds,
  type DeliveryErrorCode,
  type NoticeChannelName,
  type SentNoticeKind,
} from "@tijolo/protocol";
import { sql } from "kysely";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";
import type { Sealed } from "../sealed.ts";

const noticeChannelName = z.enum(noticeChannelNames);
const eventList = z.array(z.string());

export interface NoticeChannelRow {
  accountId: string;
  channel: NoticeChannelName;
  kinds: SentNoticeKind[];
  /** The address, and the key that signs; null for e-mail, which goes to the account's person. */
  sealed: Sealed | null;
  lastSentAt: number | null;
  lastError: { code: DeliveryErrorCode; status: number | null; at: number } | null;
  failingSince: number | null;
}

type ChannelKey = Pick<NoticeChannelRow, "accountId" | "channel">;

const storedError = z.object({ code: deliveryErrorCode, status: z.int().nullable(), at: z.int() });

export async function listNoticeChannels(db: Reader, accountId: string): Promise<NoticeChannelRow[]> {
  const rows = await db
    .selectFrom("notice_channel")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("channel")
    .execute();
  return rows.map(channelOfRow);
}

/** Inserts the channel, or replaces it; its successes and failures so far are forgotten. */
export async function saveNoticeChannel(
  tx: Transaction,
  { accountId, channel, kinds, sealed }: ChannelKey & Pick<NoticeChannelRow, "kinds" | "sealed">,
): Promise<void> {
  const columns = {
    kinds: JSON.stringify(kinds),
    key_id: sealed?.keyId ?? null,
    ciphertext: sealed?.ciphertext ?? null,
    last_error: null,
    failing_since: null,
    failing_noted_at: null,
  };
  await tx
    .insertInto("notice_channel")
    .values({ account_id: accountId, channel, ...columns, last_sent_at: null })
    .onConflict((conflict) => conflict.columns(["account_id", "channel"]).doUpdateSet(columns))
    .execute();
}

/** Inserts a channel with its defaults, unless it is there. */
export async function ensureNoticeChannel(
  tx: Transaction,
  { accountId, channel, kinds }: ChannelKey & Pick<NoticeChannelRow, "kinds">,
): Promise<void> {
  await tx
    .insertInto("notice_channel")
    .values({
      account_id: accountId,
      channel,
      kinds: JSON.stringify(kinds),
      key_id: null,
      ciphertext: null,
      last_sent_at: null,
      last_error: null,
      failing_since: null,
      failing_noted_at: null,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "channel"]).doNothing())
    .execute();
}

export async function deleteNoticeChannel(
  tx: Transaction,
  { accountId, channel }: ChannelKey,
): Promise<void> {
  await tx
    .deleteFrom("notice_channel")
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Records a success, after which the channel does not fail. */
export async function saveChannelSuccess(
  tx: Transaction,
  { accountId, channel, at }: ChannelKey & { at: number },
): Promise<void> {
  await tx
    .updateTable("notice_channel")
    .set({ last_sent_at: at, last_error: null, failing_since: null, failing_noted_at: null })
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Records a failure; the first one since a success begins the time of failing. */
export async function saveChannelFailure(
  tx: Transaction,
  { accountId, channel, error }: ChannelKey & { error: NonNullable<NoticeChannelRow["lastError"]> },
): Promise<void> {
  await tx
    .updateTable("notice_channel")
    .set((update) => ({
      last_error: JSON.stringify(error),
      failing_since: update.fn.coalesce("failing_since", update.val(error.at)),
    }))
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Returns channels that have only failed since then or longer, and whose account was not told of it. */
export async function listFailingChannels(
  db: Reader,
  { since, limit }: { since: number; limit: number },
): Promise<NoticeChannelRow[]> {
  const rows = await db
    .selectFrom("notice_channel")
    .selectAll()
    .where("failing_since", "is not", null)
    .where("failing_since", "<=", since)
    .where("failing_noted_at", "is", null)
    .orderBy("failing_since")
    .limit(limit)
    .execute();
  return rows.map(channelOfRow);
}

/** Records that the account was told. */
export async function saveChannelNoted(
  tx: Transaction,
  { accountId, channel, at }: ChannelKey & { at: number },
): Promise<void> {
  await tx
    .updateTable("notice_channel")
    .set({ failing_noted_at: at })
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Place of a sealed channel in the order of {@link listChannelsOfOtherKeys}. */
const place = sql<string>`account_id || ' ' || channel`;

export interface SealedChannelRow extends ChannelKey {
  place: string;
  sealed: Sealed;
}

/**
 * Returns the channels that another master key has sealed, in the order of their places, from behind the
 * place `after`.
 */
export async function listChannelsOfOtherKeys(
  db: Reader,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedChannelRow[]> {
  const rows = await db
    .selectFrom("notice_channel")
    .select(["account_id", "channel", "key_id", "ciphertext", place.as("place")])
    .where("key_id", "is not", null)
    .where("key_id", "!=", keyId)
    .where(place, ">", after)
    .orderBy(place)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    channel: noticeChannelName.parse(row.channel),
    place: row.place,
    sealed: { keyId: row.key_id ?? "", ciphertext: row.ciphertext ?? "" },
  }));
}

/** Replaces what is sealed, and nothing else. */
export async function saveChannelSeal(
  tx: Transaction,
  { accountId, channel, sealed }: ChannelKey & { sealed: Sealed },
): Promise<void> {
  await tx
    .updateTable("notice_channel")
    .set({ key_id: sealed.keyId, ciphertext: sealed.ciphertext })
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .execute();
}

/** Returns how many channels each master key has sealed. */
export async function countChannelsByKey(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("notice_channel")
    .select((select) => ["key_id", select.fn.countAll<number>().as("count")])
    .where("key_id", "is not", null)
    .groupBy("key_id")
    .execute();
  return new Map(rows.map((row) => [row.key_id ?? "", Number(row.count)]));
}

/** Kinds of an earlier program that this one does not know are left out. */
function kindsOf(text: string): SentNoticeKind[] {
  const stored = eventList.parse(JSON.parse(text));
  return sentNoticeKinds.filter((kind) => stored.includes(kind));
}

function channelOfRow(row: Schema["notice_channel"]): NoticeChannelRow {
  return {
    accountId: row.account_id,
    channel: noticeChannelName.parse(row.channel),
    kinds: kindsOf(row.kinds),
    sealed:
      row.key_id === null || row.ciphertext === null
        ? null
        : { keyId: row.key_id, ciphertext: row.ciphertext },
    lastSentAt: row.last_sent_at,
    lastError: row.last_error === null ? null : storedError.parse(JSON.parse(row.last_error)),
    failingSince: row.failing_since,
  };
}
