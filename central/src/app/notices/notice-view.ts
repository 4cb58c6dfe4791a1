/** Shows notices as the API has them. */

import type { Notice } from "@tijolo/protocol";
import { noticeText } from "@tijolo/protocol/texts/central";
import type { NoticeRow } from "../../store/tables/notices/notice.ts";

export type NoticeLanguage = Parameters<typeof noticeText>[1];

export function viewNotice(row: NoticeRow, language: NoticeLanguage): Notice {
  return {
    id: row.id,
    kind: row.content.kind,
    projectId: row.projectId,
    ...noticeText(row.content, language),
    at: new Date(row.at).toISOString(),
    lastAt: new Date(row.lastAt).toISOString(),
    count: row.count,
    isRead: row.readAt !== null,
    data: noticeData(row),
  };
}

/** Returns the parameters of the notice for programs: all that its other fields do not say. */
export function noticeData({ content }: Pick<NoticeRow, "content">): Notice["data"] {
  const { kind: _, ...data } = content;
  return data as Notice["data"];
}
