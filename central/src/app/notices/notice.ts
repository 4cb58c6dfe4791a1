/** Lists an account's notices, and marks them as read. */

import { AppError, id as idSchema, type Notice } from "@tijolo/protocol";
import { transact } from "../../store/store.ts";
import {
  countUnreadNotices,
  findNotice,
  listNotices as selectNotices,
  markAllNoticesRead,
  markNoticeRead,
} from "../../store/tables/notices/notice.ts";
import type { Principal } from "../identity/caller.ts";
import { viewNotice, type NoticeLanguage } from "./notice-view.ts";
import type { NoticesContext } from "./notices-context.ts";

type ReadingContext = Pick<NoticesContext, "db" | "clock">;

/** Lists the notices, newest first; the cursor is the id of the last one that was seen. */
export async function listNotices(
  app: ReadingContext,
  { account }: Pick<Principal, "account">,
  { cursor, limit, unread }: { cursor?: string | undefined; limit: number; unread: boolean },
  language: NoticeLanguage,
): Promise<{ notices: Notice[]; unread: number; nextCursor: string | null }> {
  if (cursor !== undefined && !idSchema.safeParse(cursor).success)
    throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const rows = await selectNotices(app.db, account.id, {
    before: cursor,
    limit: limit + 1,
    isUnread: unread,
  });
  const page = rows.slice(0, limit);
  return {
    notices: page.map((row) => viewNotice(row, language)),
    unread: await countUnreadNotices(app.db, account.id),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Marks a notice as read. Throws `not_found`. */
export async function readNotice(
  app: ReadingContext,
  { account, once }: Principal,
  noticeId: string,
  language: NoticeLanguage,
): Promise<{ notice: Notice }> {
  return transact(app.db, async (tx) => {
    const row = await findNotice(tx, account.id, noticeId);
    if (row === undefined) throw new AppError("not_found");
    const readAt = row.readAt ?? app.clock.now();
    await markNoticeRead(tx, row.id, readAt);
    tx.wake(`notices:${account.id}`);
    const answer = { notice: viewNotice({ ...row, readAt }, language) };
    await once?.save(tx, answer);
    return answer;
  });
}

/** Marks all notices of the account as read. */
export async function readAllNotices(
  app: ReadingContext,
  { account, once }: Principal,
): Promise<{ read: number }> {
  return transact(app.db, async (tx) => {
    tx.wake(`notices:${account.id}`);
    const answer = { read: await markAllNoticesRead(tx, account.id, app.clock.now()) };
    await once?.save(tx, answer);
    return answer;
  });
}
