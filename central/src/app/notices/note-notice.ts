/**
 * Makes notices: one per kind, subject and hour, with a count; and queues each new one for the channels that
 * carry its kind.
 */

import {
  noticeChannelNames,
  projectOfNotice,
  sentNoticeKinds,
  type NoticeChannelName,
  type NoticeContent,
  type SentNoticeKind,
} from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import { ensureNoticeChannel, listNoticeChannels } from "../../store/tables/notices/notice-channel.ts";
import { countDeliveries, insertDelivery } from "../../store/tables/notices/notice-delivery.ts";
import {
  deleteNoticesBeyond,
  findNewestNotice,
  insertNotice,
  repeatNotice,
  type NoticeRow,
} from "../../store/tables/notices/notice.ts";
import { findPersonOfAccount } from "../../store/tables/people/person.ts";
import { newId } from "../new-id.ts";
import type { NotingContext } from "./notices-context.ts";

/** Milliseconds within which a repetition is counted with the notice before it. */
const repeatMs = 60 * 60 * 1000;
/** Largest number of notices that an account keeps; the oldest go first. */
export const noticesKept = 500;
/** Largest number of an account's waiting deliveries; beyond it, a notice is in the list only. */
const maxDeliveries = 200;

/** Kinds that are mailed until the account's person chooses: those that need a person soon. */
export const mailedByDefault: readonly SentNoticeKind[] = sentNoticeKinds.filter((kind) => kind !== "limit");

export interface NewNotice {
  accountId: string;
  /**
   * Id of what the notice is about, a project's for example. A notice of the same kind and subject within an
   * hour is counted with this one.
   */
  subject: string;
  content: NoticeContent;
}

/**
 * Makes the notice, or counts the one of the last hour once more; a clock that was set back changes nothing.
 */
export async function noteNotice(
  app: NotingContext,
  tx: Transaction,
  { accountId, subject, content }: NewNotice,
): Promise<NoticeRow> {
  const now = app.clock.now();
  const newest = await findNewestNotice(tx, { accountId, kind: content.kind, subject });
  if (newest !== undefined && Math.abs(now - newest.at) < repeatMs) {
    await repeatNotice(tx, newest.id, { lastAt: now, content });
    tx.wake(`notices:${accountId}`);
    return { ...newest, content, lastAt: now, count: newest.count + 1 };
  }
  const projectId = projectOfNotice(content)?.id ?? null;
  const times = { at: now, lastAt: now, count: 1, readAt: null };
  const notice: NoticeRow = { id: newId(app), accountId, subject, projectId, content, ...times };
  await insertNotice(tx, notice);
  await deleteNoticesBeyond(tx, accountId, noticesKept);
  await queueDeliveries(app, tx, notice);
  return notice;
}

async function queueDeliveries(app: NotingContext, tx: Transaction, notice: NoticeRow): Promise<void> {
  const { id, accountId, content, at } = notice;
  const carriers = await carriersOf(app, tx, notice);
  if (carriers.length === 0 || content.kind === "channel_failing") return;
  let waiting = await countDeliveries(tx, accountId);
  for (const channel of carriers) {
    if (waiting++ >= maxDeliveries) return;
    await insertDelivery(tx, { noticeId: id, accountId, channel, at });
  }
}

/**
 * Returns the channels that carry the notice. Mail is left out without a mail server, and without a person.
 */
async function carriersOf(
  { mail }: NotingContext,
  tx: Transaction,
  { accountId, content: { kind } }: NoticeRow,
): Promise<NoticeChannelName[]> {
  const rows = await listNoticeChannels(tx, accountId);
  const carries = (kinds: readonly string[]) => kind === "test" || kinds.includes(kind);
  const carriers: NoticeChannelName[] = [];
  for (const channel of noticeChannelNames) {
    const row = rows.find((each) => each.channel === channel);
    if (channel !== "email") {
      if (row !== undefined && carries(row.kinds)) carriers.push(channel);
      continue;
    }
    if (!mail.isConfigured || !carries(row?.kinds ?? mailedByDefault)) continue;
    if ((await findPersonOfAccount(tx, accountId)) === undefined) continue;
    // The row records whether the mail could be sent.
    await ensureNoticeChannel(tx, { accountId, channel, kinds: [...mailedByDefault] });
    carriers.push(channel);
  }
  return carriers;
}
