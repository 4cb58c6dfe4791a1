/** Reads `text/event-stream` bytes into events, as the HTML standard defines it ("Server-sent events"). */

import { createParser } from "eventsource-parser";

export interface ServerSentEvent {
  /** Event name; `message` when the stream names none. */
  event: string;
  data: string;
  /** The id that came with this event; undefined when it had none of its own. */
  id: string | undefined;
}

/** Longest line in characters; a longer one is no log event but comes from a broken peer. */
const maxLineLength = 1 << 20;

/**
 * Yields each complete event; an event cut off by the end of the bytes is dropped, as the standard asks.
 * Comments (pings) and the field `retry` are passed over. Throws RangeError for a line or an event above 1 Mi
 * characters.
 */
export async function* readEventStream(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let events: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLineLength,
    onEvent: ({ event = "message", data, id }) => events.push({ event, data, id }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") isTooLong = true;
    },
  });
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events;
    events = [];
    if (isTooLong) throw new RangeError("event stream: a line or an event is too long");
  }
}
