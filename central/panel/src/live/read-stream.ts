/** Reads the live stream over as many connections as it takes, and says whether what it told is true now. */

import { ApiError, ConnectionError, createClient } from "@tijolo/protocol/client";
import type { LiveEvent } from "@tijolo/protocol/live";
import { routes } from "virtual:routes";
import { fetchInLanguage } from "../api/client.ts";
import type { Connection } from "./live-state.ts";

/** Milliseconds without a connection after which what is shown is marked as old. */
const patienceMs = 3_000;
/** Milliseconds of silence after which an open connection counts as none: usage is told every 5 s. */
const silenceMs = 12_000;
/** Milliseconds until the stream is tried anew after a refusal that the client does not repeat by itself. */
const refusedMs = 15_000;
const reconnect = {
  maxAttempts: Number.POSITIVE_INFINITY,
  minDelayMs: 500,
  maxDelayMs: 15_000,
  random: Math.random,
};

interface StreamListener {
  /** The last event that was heard; null for none. */
  cursor: () => string | null;
  onEvent: (event: LiveEvent) => void;
  onConnection: (connection: Connection) => void;
}

/** Resolves when `signal` fires or the session is over. */
export async function readStream(signal: AbortSignal, listener: StreamListener): Promise<void> {
  const watch = new ConnectionWatch(listener.onConnection);
  try {
    while (!signal.aborted) {
      // A network that comes and goes is told by the browser: no pause is waited for.
      const round = new AbortController();
      const again = () => round.abort();
      const lost = () => {
        watch.isLost();
        again();
      };
      addEventListener("online", again, { signal: round.signal });
      addEventListener("offline", lost, { signal: round.signal });
      const outcome = await readRound(AbortSignal.any([signal, round.signal]), listener, watch);
      const isChanged = round.signal.aborted;
      round.abort();
      if (outcome === "over") return;
      if (!navigator.onLine) await untilOnline(signal);
      else if (!isChanged) await pause(refusedMs, signal);
    }
  } finally {
    watch.end();
  }
}

async function readRound(
  signal: AbortSignal,
  { cursor, onEvent, onConnection }: StreamListener,
  watch: ConnectionWatch,
): Promise<"over" | "again"> {
  const client = createClient(routes, { baseUrl: "/api", fetch: watch.fetch });
  const from = cursor();
  try {
    const query = from === null ? {} : { query: { cursor: from } };
    for await (const event of client.streamEvents(query, { signal, reconnect })) {
      watch.isHeard();
      onEvent(event);
      if (event.event === "session_ended") return "over";
    }
  } catch (cause) {
    if (signal.aborted) return "again";
    if (cause instanceof ApiError && cause.status === 401) {
      onConnection("ended");
      return "over";
    }
    watch.isLost();
    if (!(cause instanceof ApiError) && !(cause instanceof ConnectionError)) reportError(cause);
  }
  return "again";
}

/** Tells `live` and `stale` apart: each is told once, when it begins. */
class ConnectionWatch {
  readonly #onConnection: (connection: Connection) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told: Connection = "connecting";
  /** True from the first try of a connection until something was heard: further tries give no further time. */
  #isTrying = false;

  constructor(onConnection: (connection: Connection) => void) {
    this.#onConnection = onConnection;
  }

  /** Opens a connection and watches how long it takes. */
  readonly fetch: typeof fetch = async (address, init) => {
    if (!this.#isTrying) this.#losesAfter(patienceMs);
    this.#isTrying = true;
    const response = await fetchInLanguage(address, init);
    if (response.ok) this.isHeard();
    return response;
  };

  isHeard(): void {
    this.#isTrying = false;
    this.#tell("live");
    this.#losesAfter(silenceMs);
  }

  isLost(): void {
    this.#tell("stale");
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(connection: Connection): void {
    if (this.#told === connection) return;
    this.#told = connection;
    this.#onConnection(connection);
  }

  #losesAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.isLost(), ms);
  }
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    addEventListener("online", stop, { once: true, signal });
  });
}
