/**
 * Follows an event stream over as many connections as it takes, without loss or repeat, by `Last-Event-ID`.
 */

import { ApiError, ConnectionError } from "../contract/api-error.ts";
import { backOffMs } from "../values/back-off.ts";
import { readEventStream, type ServerSentEvent } from "./event-stream.ts";

/** Back-off after a connection ended: pauses grow from `minDelayMs` to `maxDelayMs` with full jitter. */
export interface Reconnect {
  /** Most attempts in a row without an event between them. */
  maxAttempts: number;
  minDelayMs: number;
  maxDelayMs: number;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

/**
 * Milliseconds of silence after which the connection is dead: the server sends a comment every 15 s, so three
 * are missed.
 */
const silenceMs = 50_000;

/** An event of the table: its name, data from JSON, and its id when it has one. */
export interface NamedEvent {
  event: string;
  id?: string;
  data: unknown;
}

/**
 * Yields the events of the streams that `open` returns. Without `reconnect` it ends with the connection, and
 * a broken one throws ConnectionError. With it, it opens again after the last id, also after errors that may
 * pass; it throws the last error when the attempts are used up. `isOver` tells of a connection that ended by
 * itself whether it was the last; `broughtNothing`: it brought no event with an id.
 */
export async function* followEvents(
  open: (lastEventId: string | undefined) => Promise<Response>,
  options: {
    signal?: AbortSignal;
    reconnect?: Reconnect;
    isOver?: (connection: { broughtNothing: boolean }) => boolean;
  },
): AsyncGenerator<NamedEvent, void, undefined> {
  const { signal, reconnect, isOver } = options;
  let lastEventId: string | undefined;
  let attempts = 0;
  for (;;) {
    let failure: unknown;
    const idBefore = lastEventId;
    try {
      for await (const event of readEventStream(readBody(await open(lastEventId), signal))) {
        attempts = 0;
        if (event.id !== undefined) lastEventId = event.id;
        yield toNamedEvent(event);
      }
      if (reconnect === undefined || isOver?.({ broughtNothing: lastEventId === idBefore }) === true) return;
    } catch (cause) {
      signal?.throwIfAborted();
      if (reconnect === undefined || !isPassing(cause)) throw cause;
      failure = cause;
    }
    attempts++;
    if (attempts > reconnect.maxAttempts)
      throw failure ?? new ConnectionError("the server keeps ending the stream");
    await pause(delayMs(attempts, reconnect, failure), signal);
  }
}

function toNamedEvent({ event, id, data }: ServerSentEvent): NamedEvent {
  return { event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) as unknown };
}

async function* readBody(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield value;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof ConnectionError ? cause : new ConnectionError("the stream broke off", { cause });
  } finally {
    await reader.cancel().catch(() => {}); // a broken stream cannot be cancelled and need not be
  }
}

async function withinSilence<Value>(read: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionError(`the stream was silent for ${silenceMs / 1000} s`)),
      silenceMs,
    );
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function isPassing(cause: unknown): boolean {
  return cause instanceof ConnectionError || (cause instanceof ApiError && cause.mayRetry);
}

function delayMs(attempt: number, { minDelayMs, maxDelayMs, random }: Reconnect, failure: unknown): number {
  const asked =
    failure instanceof ApiError && failure.retryAfterSeconds !== null ? failure.retryAfterSeconds * 1000 : 0;
  return asked + backOffMs(attempt, { minMs: minDelayMs, maxMs: maxDelayMs, random });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
  });
}
