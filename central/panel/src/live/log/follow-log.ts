/**
 * Follows a project's log: pages first, since pages have no pace, then the stream from where they end. What breaks
 * off is opened again at the same place. Where the server takes no further stream, pages are read from time to time.
 */

import { ApiError, ConnectionError, createClient, type CallInput } from "@tijolo/protocol/client";
import { routes } from "virtual:routes";
import { api, fetchInLanguage } from "../../api/client.ts";
import { entriesOf, type NewEntry } from "./log-buffer.ts";

const firstLines = 500;
/** Lines before the moment at which a log is opened. */
const linesBefore = 200;
const mostLines = 1000;
/** Milliseconds between two pages where no stream is to be had. */
const pollMs = 5_000;
/** Pages between two tries to open the stream again. */
const pagesPerTry = 6;
const leastPauseMs = 500;
const mostPauseMs = 10_000;

type Query = NonNullable<CallInput<"streamLogs">["query"]>;
export type LogFilter = Pick<Query, "section" | "stream" | "q" | "since" | "until">;

/**
 * `waiting`: the server does not answer, and is tried again. `paged`: no stream is to be had, and pages are read.
 * `paused`: the page is out of sight. `ended`: nothing more can come under this filter.
 */
export type LogState = "loading" | "live" | "waiting" | "paged" | "paused" | "ended";

export interface LogQuestion {
  id: string;
  filter: LogFilter;
  /** Where the log is opened: lines around this moment, and from there on. Null: at its end. */
  moment: string | null;
}

/** Where the next line is read from: undefined before the first page, null after an empty one. */
export interface LogPlace {
  cursor: string | null | undefined;
}

export interface LogListener {
  /** The first lines, and the cursor of what is older. */
  onBegin: (entries: readonly NewEntry[], older: string | null) => void;
  onNewer: (entries: readonly NewEntry[]) => void;
  onState: (state: LogState) => void;
  /** Null once it is over. */
  onError: (error: Error | null) => void;
}

/** Resolves when nothing more can come; rejects for what no further try can mend, and when `signal` fires. */
export async function followLog(
  question: LogQuestion,
  place: LogPlace,
  listener: LogListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let refusals = 0;
  const onOpen = () => {
    failures = refusals = 0;
    listener.onState("live");
    listener.onError(null);
  };
  for (;;) {
    try {
      if (place.cursor === undefined) await begin(question, place, listener, signal);
      if (isOver(question.filter)) return listener.onState("ended");
      if (failures === 0 && refusals === 0) listener.onState("live");
      await readStream(question, place, { ...listener, onOpen }, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (!mayPass(cause)) throw cause;
      if (place.cursor !== undefined && isRefused(cause)) {
        refusals++;
        await readPages(question, place, listener, { refusals, signal }).catch(passing(signal));
        continue;
      }
      listener.onState("waiting");
      listener.onError(cause as Error);
    }
    failures++;
    const longestMs = Math.min(mostPauseMs, leastPauseMs * 2 ** failures);
    await pause(longestMs * (0.5 + Math.random() / 2), signal);
  }
}

async function begin(
  { id, filter, moment }: LogQuestion,
  place: LogPlace,
  { onBegin }: LogListener,
  signal: AbortSignal,
): Promise<void> {
  const read = (query: Query) => api.streamLogs.page({ id, query: { ...filter, ...query } }, { signal });
  if (moment !== null) {
    // A page without lines tells the place of the moment.
    const { previousCursor: cursor } = await read({ until: moment, lines: 0 });
    if (cursor !== null) {
      const [before, after] = await Promise.all([
        read({ before: cursor, lines: linesBefore }),
        read({ cursor, lines: mostLines }),
      ]);
      place.cursor = after.nextCursor ?? cursor;
      onBegin(
        [...entriesOf(before, cursor), ...entriesOf(after, after.nextCursor)],
        before.lines.length === 0 ? null : before.previousCursor,
      );
      return;
    }
  }
  const page = await read({ lines: moment === null ? firstLines : mostLines });
  place.cursor = page.nextCursor;
  onBegin(entriesOf(page, page.nextCursor), page.previousCursor);
}

async function readStream(
  { id, filter }: LogQuestion,
  place: LogPlace,
  { onOpen, onNewer }: LogListener & { onOpen: () => void },
  signal: AbortSignal,
): Promise<void> {
  const client = createClient(routes, {
    baseUrl: "/api",
    fetch: async (address, init) => {
      const response = await fetchInLanguage(address, init);
      if (response.ok) onOpen();
      return response;
    },
  });
  const query = { ...filter, ...fromPlace(place) };
  for await (const event of client.streamLogs({ id, query }, { signal })) {
    const cursor = "id" in event ? event.id : undefined;
    if (cursor !== undefined) place.cursor = cursor;
    const known = cursor === undefined ? {} : { cursor };
    if (event.event === "log") onNewer([{ kind: "line", line: event.data, ...known }]);
    else if (event.event === "gap") onNewer([{ kind: "gap", ...event.data, ...known }]);
    else onNewer([{ kind: "status", at: event.data.at, status: event.data.status }]);
  }
}

/** Reads pages for a while, then lets the stream be tried again. The first refusal may be the pace: one page. */
async function readPages(
  { id, filter }: LogQuestion,
  place: LogPlace,
  { onNewer, onState, onError }: LogListener,
  { refusals, signal }: { refusals: number; signal: AbortSignal },
): Promise<void> {
  const isRefusedForLong = refusals > 2;
  if (isRefusedForLong) onState("paged");
  for (let count = isRefusedForLong ? pagesPerTry : 1; count > 0; count--) {
    await pause(isRefusedForLong ? pollMs : pollMs / 2, signal);
    const query = { ...filter, ...fromPlace(place) };
    const page = await api.streamLogs.page({ id, query }, { signal });
    onNewer(entriesOf(page, page.nextCursor));
    place.cursor = page.nextCursor ?? place.cursor;
    onError(null);
  }
}

function fromPlace({ cursor }: LogPlace): Query {
  return { lines: mostLines, ...(cursor === undefined || cursor === null ? {} : { cursor }) };
}

function isOver({ until }: LogFilter): boolean {
  return until !== undefined && Date.parse(until) < Date.now();
}

function isRefused(cause: unknown): boolean {
  return cause instanceof ApiError && cause.code === "too_many_requests";
}

function mayPass(cause: unknown): boolean {
  return (
    cause instanceof ConnectionError ||
    (cause instanceof ApiError && cause.mayRetry) ||
    (cause instanceof Error && cause.name === "TimeoutError")
  );
}

/** Passes over what may pass: the stream is tried next, and tells what is wrong. */
function passing(signal: AbortSignal): (cause: unknown) => void {
  return (cause) => {
    signal.throwIfAborted();
    if (!mayPass(cause)) throw cause;
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
