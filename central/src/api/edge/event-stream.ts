/**
 * Sends events as server-sent events (WHATWG HTML, "Server-sent events"), with back-pressure and a ping.
 */

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { StreamEvent } from "../handlers/handlers.ts";
import type { ApiBounds } from "./api-bounds.ts";

export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/**
 * Writes until the events end or the reader disconnects. Rejects with what ended the events early, and when
 * `signal` fires while the reader takes nothing; the head is sent before the first event.
 */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<StreamEvent[]>,
  { signal, pingMs, drainMs }: Pick<ApiBounds, "pingMs" | "drainMs"> & { signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, eventStreamHeaders);
  response.flushHeaders();
  const ping = setInterval(() => response.write(": ping\n\n"), pingMs);
  try {
    for await (const batch of events) {
      const hasRoom = response.write(batch.map(frame).join(""));
      if (!hasRoom && !response.destroyed) {
        await once(response, "drain", { signal: AbortSignal.any([signal, AbortSignal.timeout(drainMs)]) });
      }
      if (response.destroyed) return;
    }
  } finally {
    clearInterval(ping);
    response.end();
  }
}

function frame(event: StreamEvent): string {
  const id = event.id !== undefined ? `id: ${event.id}\n` : "";
  return `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
