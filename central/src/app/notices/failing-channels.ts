/**
 * Tells accounts of channels that have failed for a day. The notice is in the list only, as the channel
 * cannot carry it.
 */

import { transact } from "../../store/store.ts";
import { listFailingChannels, saveChannelNoted } from "../../store/tables/notices/notice-channel.ts";
import { failingAfterMs } from "./channel.ts";
import { noteNotice } from "./note-notice.ts";
import type { NotingContext, NoticesContext } from "./notices-context.ts";

const perRun = 100;

export async function noteFailingChannels(app: NotingContext & Pick<NoticesContext, "db">): Promise<void> {
  const now = app.clock.now();
  await transact(app.db, async (tx) => {
    const failing = await listFailingChannels(tx, { since: now - failingAfterMs, limit: perRun });
    for (const { accountId, channel, failingSince } of failing) {
      const since = new Date(failingSince ?? now).toISOString();
      const content = { kind: "channel_failing", channel, since } as const;
      await noteNotice(app, tx, { accountId, subject: channel, content });
      await saveChannelNoted(tx, { accountId, channel, at: now });
    }
  });
}
