/** Serves a download request: the whole or a range, so that `download.ts` can continue where it was cut. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readRange } from "./byte-range.ts";

export interface ServedBytes {
  sizeBytes: number;
  /** Strong entity tag with its quotes; names exactly these bytes. */
  etag: string;
  contentType: string;
  /** Milliseconds without progress after which a response is cut. */
  idleMs: number;
  /** Opens the bytes from `start` to `end`, both included. Not called when there are none to send. */
  open(range: { start: number; end: number }): Readable | Promise<Readable>;
}

/** Resolves when the answer is sent; rejects when it broke off. The request is a GET or a HEAD. */
export async function serveBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { sizeBytes, etag, contentType, idleMs, open }: ServedBytes,
): Promise<void> {
  const ifRange = request.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === etag;
  const range = isSame ? readRange(request.headers.range, sizeBytes) : "whole";
  if (range === "outside") return endEmpty(response, 416, { "Content-Range": `bytes */${sizeBytes}` });
  const part = range === "whole" ? { start: 0, end: sizeBytes - 1 } : range;
  const bytes = request.method === "HEAD" || sizeBytes === 0 ? null : await open(part);
  response.writeHead(range === "whole" ? 200 : 206, {
    "Content-Type": contentType,
    "Content-Length": part.end - part.start + 1,
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    ETag: etag,
    ...(range === "whole" ? {} : { "Content-Range": `bytes ${part.start}-${part.end}/${sizeBytes}` }),
  });
  if (bytes === null) return void response.end();
  response.setTimeout(idleMs, () => response.destroy());
  await pipeline(bytes, response);
}

/** Sends a response with a status and no body. */
export function endEmpty(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Length": 0, ...headers });
  response.end();
}
