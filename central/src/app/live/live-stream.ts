/** Streams what a panel shows: all of an account first, then each change. */

import { AppError, type LiveEvent, type LiveSnapshot, type SessionEndReason } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit/latch";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import type { LiveFeed } from "./live-feed.ts";
import type { LiveFeeds } from "./live-feeds.ts";

/** Number of projects, or of changes, that are sent at once. */
const partSize = 100;

export interface LiveReader {
  accountId: string;
  sessionId: string;
  language: TextLanguage;
  /** Id of the last event that the reader has; undefined for none. */
  cursor: string | undefined;
  /** Aborted, with `not_authenticated`, when the session has ended; otherwise when the reader is gone. */
  signal: AbortSignal;
  /** Returns why the session has ended. */
  whyEnded: () => Promise<SessionEndReason>;
}

/** Yields batches of events until the session ends. Throws `too_many_requests` at the session's limit. */
export async function* followLive(feeds: LiveFeeds, reader: LiveReader): AsyncIterable<LiveEvent[]> {
  using _slot = feeds.slots.take(reader.sessionId);
  using lease = await feeds.open(reader.accountId, reader.language);
  const { feed } = lease;
  const signal = AbortSignal.any([reader.signal, feed.ended]);
  const news = new Latch();
  const unsubscribe = feed.subscribe(news);
  try {
    yield* changesOf(feeds, feed, { cursor: reader.cursor, news, signal });
  } finally {
    unsubscribe();
  }
  if (isSessionOver(reader.signal))
    yield [{ event: "session_ended", data: { reason: await reader.whyEnded() } }];
}

/** Returns what the stream begins with, as one document. */
export async function readLive(
  feeds: LiveFeeds,
  { accountId, language }: Pick<LiveReader, "accountId" | "language">,
): Promise<LiveSnapshot> {
  using lease = await feeds.open(accountId, language);
  return lease.feed.snapshot((number) => feeds.cursorOf(number));
}

async function* changesOf(
  feeds: LiveFeeds,
  feed: LiveFeed,
  { cursor, news, signal }: { cursor: string | undefined; news: Latch; signal: AbortSignal },
): AsyncIterable<LiveEvent[]> {
  let seen = cursor === undefined ? null : feeds.numberOf(cursor);
  let usage: LiveEvent | null = null;
  do {
    const changes = seen === null ? null : feed.changesSince(seen);
    seen = feed.last;
    if (changes === null) yield* snapshotParts(feed.snapshot((number) => feeds.cursorOf(number)));
    else
      for (let at = 0; at < changes.length; at += partSize)
        yield changes
          .slice(at, at + partSize)
          .map(({ number, event }) => ({ ...event, id: feeds.cursorOf(number) }));
    if (feed.usage !== null && feed.usage !== usage) yield [(usage = feed.usage)];
  } while ((await news.wait({ signal, timeoutMs: null })) === "set");
}

/** Only the last part has an id: whoever got less begins anew. */
export function* snapshotParts({
  at,
  cursor,
  account,
  unread,
  projects,
}: LiveSnapshot): Iterable<LiveEvent[]> {
  yield [
    { event: "account", data: { account } },
    { event: "notice", data: { notice: null, unread } },
  ];
  for (let first = 0; first === 0 || first < projects.length; first += partSize) {
    const isLast = first + partSize >= projects.length;
    const data = { at, isFirst: first === 0, isLast, projects: projects.slice(first, first + partSize) };
    yield [{ event: "snapshot", ...(isLast ? { id: cursor } : {}), data }];
  }
}

function isSessionOver({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === "not_authenticated";
}
