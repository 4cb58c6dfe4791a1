/** Reads `text/event-stream` bytes into events, as the HTML standard defines it ("Server-sent events"). */

export interface ServerSentEvent {
  /** `message` when the stream names none. */
  event: string;
  data: string;
  /** The id that came with this event; undefined when it had none of its own. */
  id: string | undefined;
}

/** A line longer than this is no log event but a broken peer. */
const maxLineLength = 1 << 20;

/**
 * Yields each complete event; an event cut off by the end of the bytes is dropped, as the standard asks.
 * Comments (pings) and the field `retry` are passed over. Throws RangeError for a line or an event above 1 Mi
 * characters.
 */
export async function* readEventStream(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const pending = new PendingEvent();
  for await (const line of readLines(chunks)) {
    const event = pending.add(line);
    if (event !== null) yield event;
  }
}

/** The fields of the event that is being read. */
class PendingEvent {
  #event = "";
  #data: string[] = [];
  #dataLength = 0;
  #id: string | undefined;

  /** Takes one line; answers the event that an empty line completes. */
  add(line: string): ServerSentEvent | null {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    switch (field) {
      case "event":
        this.#event = value;
        break;
      case "data":
        this.#dataLength += value.length;
        if (this.#dataLength > maxLineLength) throw new RangeError("event stream: an event is too long");
        this.#data.push(value);
        break;
      case "id":
        if (!value.includes("\0")) this.#id = value;
        break;
    }
    return null;
  }

  #complete(): ServerSentEvent | null {
    const event =
      this.#data.length === 0
        ? null
        : { event: this.#event === "" ? "message" : this.#event, data: this.#data.join("\n"), id: this.#id };
    this.#event = "";
    this.#data = [];
    this.#dataLength = 0;
    this.#id = undefined;
    return event;
  }
}

/** Lines end with LF, CR or CRLF, and a CRLF may be split between two chunks. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  let endedWithCr = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    if (endedWithCr && text.startsWith("\n")) text = text.slice(1);
    endedWithCr = text === "" ? false : text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) throw new RangeError("event stream: a line is too long");
    yield* lines;
  }
}
