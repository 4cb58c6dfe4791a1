/** Sends a text that is made while it is sent, as a file for the caller's disk, with back-pressure. */

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { TextAnswer } from "../handlers/handlers.ts";
import type { BytesExchange } from "./send-bytes.ts";
import { takeOver } from "./take-over.ts";

/**
 * Sends the text. A failure before the first piece is an error response; a later one breaks the connection, so
 * that nobody takes a part for the whole.
 */
export async function sendText(
  { fileName, content }: TextAnswer,
  contentType: string,
  { request, reply, bounds, signal }: BytesExchange,
): Promise<void> {
  const begin = () => {
    reply.header("content-type", contentType);
    reply.header("content-disposition", `attachment; filename="${fileName}"`);
    reply.header("cache-control", "no-store");
    reply.header("x-content-type-options", "nosniff");
    takeOver(reply);
  };
  const response = reply.raw;
  if (request.method === "HEAD") {
    begin();
    response.end();
    return;
  }
  const pieces = content()[Symbol.asyncIterator]();
  const ended = AbortSignal.any([signal, AbortSignal.timeout(bounds.textMs)]);
  const cut = () => response.destroy();
  try {
    let piece = await pieces.next();
    begin();
    ended.addEventListener("abort", cut, { once: true });
    if (ended.aborted) cut();
    try {
      for (; piece.done !== true && !response.destroyed; piece = await pieces.next())
        await write(response, piece.value, AbortSignal.any([ended, AbortSignal.timeout(bounds.drainMs)]));
      response.end();
    } catch {
      cut(); // the caller is gone or too slow, or the text broke off
    }
  } finally {
    ended.removeEventListener("abort", cut);
    await pieces.return?.();
  }
}

/** Resolves once there is room for more. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text) && !response.destroyed) await once(response, "drain", { signal });
}
