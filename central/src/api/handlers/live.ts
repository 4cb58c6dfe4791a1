/** Handles the live stream of the panel, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import type { LiveFeeds } from "../../app/live/live-feeds.ts";
import { followLive, readLive } from "../../app/live/live-stream.ts";
import { whySessionEnded } from "../../app/people/session.ts";
import type { Handlers } from "./handlers.ts";
import { sessionOf } from "./session-call.ts";

export function liveHandlers(app: AppContext, feeds: LiveFeeds) {
  return {
    async streamEvents({ principal, caller, request, query, signal }) {
      const { session } = sessionOf(caller);
      const reader = {
        accountId: principal.account.id,
        sessionId: session.id,
        language: principal.language,
        cursor: query.cursor,
        signal,
        whyEnded: () => whySessionEnded(app, request.headers),
      };
      return {
        events: () => followLive(feeds, reader),
        page: () => readLive(feeds, reader),
        wantsPage: !query.follow,
      };
    },
  } satisfies Partial<Handlers>;
}
