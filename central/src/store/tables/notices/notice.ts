/** Holds the SQL of notices. */

import { noticeContent, type NoticeContent, type NoticeKind } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface NoticeRow {
  /** Time-ordered id. */
  id: string;
  accountId: string;
  subject: string;
  projectId: string | null;
  content: NoticeContent;
  at: number;
  lastAt: number;
  count: number;
  readAt: number | null;
}

export async function insertNotice(tx: Transaction, notice: NoticeRow): Promise<void> {
  await tx
    .insertInto("notice")
    .values({
      id: notice.id,
      account_id: notice.accountId,
      kind: notice.content.kind,
      subject: notice.subject,
      project_id: notice.projectId,
      content: JSON.stringify(notice.content),
      at: notice.at,
      last_at: notice.lastAt,
      count: notice.count,
      read_at: notice.readAt,
    })
    .execute();
  tx.wake(`notices:${notice.accountId}`);
}

/** Returns the newest notice of this kind about this subject. */
export async function findNewestNotice(
  db: Reader,
  { accountId, kind, subject }: { accountId: string; kind: NoticeKind; subject: string },
): Promise<NoticeRow | undefined> {
  const row = await db
    .selectFrom("notice")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : noticeOfRow(row);
}

/** Counts the notice once more, with what is known of it now. */
export async function repeatNotice(
  tx: Transaction,
  id: string,
  { lastAt, content }: Pick<NoticeRow, "lastAt" | "content">,
): Promise<void> {
  await tx
    .updateTable("notice")
    .set((update) => ({
      last_at: lastAt,
      content: JSON.stringify(content),
      count: update("count", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}

export async function findNotice(db: Reader, accountId: string, id: string): Promise<NoticeRow | undefined> {
  const row = await db
    .selectFrom("notice")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row === undefined ? undefined : noticeOfRow(row);
}

/** Returns the newest notices first; with `before`, only those older than the one with this id. */
export async function listNotices(
  db: Reader,
  accountId: string,
  { before, limit, isUnread }: { before: string | undefined; limit: number; isUnread: boolean },
): Promise<NoticeRow[]> {
  let query = db.selectFrom("notice").selectAll().where("account_id", "=", accountId);
  if (before !== undefined) query = query.where("id", "<", before);
  if (isUnread) query = query.where("read_at", "is", null);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(noticeOfRow);
}

export async function countUnreadNotices(db: Reader, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("notice")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("read_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Marks a notice as read; one that was read keeps its time. */
export async function markNoticeRead(tx: Transaction, id: string, readAt: number): Promise<void> {
  await tx
    .updateTable("notice")
    .set({ read_at: readAt })
    .where("id", "=", id)
    .where("read_at", "is", null)
    .execute();
}

/** Marks all notices of the account as read; returns how many were not. */
export async function markAllNoticesRead(
  tx: Transaction,
  accountId: string,
  readAt: number,
): Promise<number> {
  const result = await tx
    .updateTable("notice")
    .set({ read_at: readAt })
    .where("account_id", "=", accountId)
    .where("read_at", "is", null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Removes the account's oldest notices, so that `kept` remain. */
export async function deleteNoticesBeyond(tx: Transaction, accountId: string, kept: number): Promise<void> {
  const newestBeyond = await tx
    .selectFrom("notice")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (newestBeyond === undefined) return;
  await tx
    .deleteFrom("notice")
    .where("account_id", "=", accountId)
    .where("id", "<=", newestBeyond.id)
    .execute();
}

/** Removes notices below the id, at most `limit`; returns how many. */
export async function deleteNoticesBelow(tx: Transaction, below: string, limit: number): Promise<number> {
  const result = await tx
    .deleteFrom("notice")
    .where("id", "in", (select) =>
      select.selectFrom("notice").select("id").where("id", "<", below).orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function noticeOfRow(row: Schema["notice"]): NoticeRow {
  return {
    id: row.id,
    accountId: row.account_id,
    subject: row.subject,
    projectId: row.project_id,
    content: noticeContent.parse(JSON.parse(row.content)),
    at: row.at,
    lastAt: row.last_at,
    count: row.count,
    readAt: row.read_at,
  };
}
