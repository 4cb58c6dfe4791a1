/** Handles the operations on notices and their channels, between the edge and the rules. */

import type { OperationName } from "@tijolo/protocol";
import type { AppContext } from "../../app/context.ts";
import { announce, listAnnouncements } from "../../app/notices/announcement.ts";
import { getChannels, setChannels, testChannels } from "../../app/notices/channel.ts";
import { listNotices, readAllNotices, readNotice } from "../../app/notices/notice.ts";
import { languageOf } from "../edge/answer-language.ts";
import type { Call, Handlers } from "./handlers.ts";

export function noticeHandlers(app: AppContext) {
  return {
    listNotices: (call) => listNotices(app, call.principal, call.query, languageFor(call)),
    readNotice: (call) => readNotice(app, call.principal, call.params.noticeId, languageFor(call)),
    readAllNotices: ({ principal }) => readAllNotices(app, principal),
    getNoticeChannels: async ({ principal }) => ({ channels: await getChannels(app, principal) }),
    setNoticeChannels: ({ principal, body }) => setChannels(app, principal, body),
    testNoticeChannels: (call) => testChannels(app, call.principal, languageFor(call)),
    listAnnouncements: async () => ({ announcements: await listAnnouncements(app) }),
    announce: async ({ principal, body }) => ({ announcement: await announce(app, principal.actor, body) }),
  } satisfies Partial<Handlers>;
}

/** Returns the language that the caller reads. */
function languageFor({ request }: Pick<Call<OperationName>, "request">) {
  return languageOf(request.headers["accept-language"]);
}
