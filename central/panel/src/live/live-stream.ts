/**
 * Keeps one live stream per browser, however many tabs are open: the tab that holds the lock reads it and tells the
 * others. HTTP/1.1 allows a browser six connections to a server, and each tab with a stream of its own would use
 * them up. Where there is no lock (a page without HTTPS) each tab reads for itself; the server takes three.
 */

import type { LiveEvent } from "@tijolo/protocol/live";
import { keepList, keptList } from "./kept-list.ts";
import { applyEvent, emptyTabState, type TabState } from "./live-state.ts";
import { liveState, setLiveState } from "./live-store.ts";
import { readStream } from "./read-stream.ts";

const name = "tijolo.live";

type Message =
  | { kind: "hello" }
  | { kind: "state"; state: TabState }
  | { kind: "event"; event: LiveEvent; at: number }
  | { kind: "connection"; connection: TabState["connection"] };

export interface LiveStream {
  /** Ends it, and forgets what it told. */
  end(): void;
  /** Goes on with the projects as they are known, after the person has signed in again. */
  goOn(): void;
}

/**
 * Starts the stream of the person who is signed in. Only tabs of the same language share one: its sentences are the
 * server's.
 */
export function startLive(accountId: string, language: string): LiveStream {
  const end = new AbortController();
  const shared = `${name}.${accountId}.${language}`;
  const channel = new BroadcastChannel(shared);
  const tell = (message: Message) => channel.postMessage(message);
  let isLeading = false;

  function receive(message: Message): void {
    switch (message.kind) {
      case "hello":
        if (isLeading) tell({ kind: "state", state: liveState() });
        return;
      case "state":
        return setLiveState(message.state);
      case "event":
        return setLiveState(applyEvent(liveState(), message.event, message.at));
      case "connection":
        // The person has signed in again in another tab. This one had given up its place in the line of readers.
        if (liveState().connection === "ended" && message.connection === "live") return goOn();
        return setLiveState({ ...liveState(), connection: message.connection });
    }
  }

  function share(message: Message): void {
    if (end.signal.aborted) return; // the channel is closed, and what is told late is of somebody before
    receive(message);
    tell(message);
  }

  async function lead(): Promise<void> {
    isLeading = true;
    await readStream(end.signal, {
      // What a tab heard while another one led is continued after, too.
      cursor: () => liveState().cursor,
      onEvent: (event) => share({ kind: "event", event, at: Date.now() }),
      onConnection: (connection) => share({ kind: "connection", connection }),
    });
    // From now on it is another tab that knows how things are.
    isLeading = false;
  }

  const keep = () => keepList(accountId, liveState());
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));
  addEventListener("pagehide", keep, { signal: end.signal });
  document.addEventListener("visibilitychange", keep, { signal: end.signal });
  const take = () => {
    tell({ kind: "hello" });
    void whenLeading(shared, lead, end.signal);
  };
  const goOn = () => {
    setLiveState({ ...liveState(), connection: "stale", ended: null });
    take();
  };
  setLiveState(keptState(accountId));
  take();
  return {
    end: () => {
      end.abort();
      channel.close();
      setLiveState(emptyTabState);
    },
    goOn,
  };
}

/** What the last visit left, so that a list is there at once; it is old until the server was heard. */
function keptState(accountId: string): TabState {
  const kept = keptList(accountId);
  if (kept === null) return emptyTabState;
  const projects = new Map(kept.projects.map((live) => [live.project.id, live]));
  return { ...emptyTabState, projects, heardAt: kept.heardAt, isComplete: true, isKept: true };
}

async function whenLeading(lock: string, lead: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const locks = navigator.locks as LockManager | undefined; // absent on a page without HTTPS
  if (locks === undefined) return await lead();
  try {
    await locks.request(lock, { signal }, lead);
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
