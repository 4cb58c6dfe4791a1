/**
 * Sends a stored file: whole, the range that the caller asks for, or nothing when the caller has it already.
 */

import { AppError } from "@tijolo/protocol";
import { readRange, serveBytes } from "@tijolo/protocol/kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isKnown } from "../docs/send-document.ts";
import type { BytesAnswer } from "../handlers/handlers.ts";
import type { ApiBounds } from "./api-bounds.ts";
import { takeOver } from "./take-over.ts";

const bytesPerMb = 2 ** 20;

export interface BytesExchange {
  request: FastifyRequest;
  reply: FastifyReply;
  bounds: ApiBounds;
  /** Aborted when the caller loses the right to the response. */
  signal: AbortSignal;
}

/**
 * Sends the file. A file that is missing, or a range outside of it, is an error response, as nothing was sent
 * before.
 */
export async function sendBytes(
  file: BytesAnswer,
  contentType: string,
  { request, reply, bounds, signal }: BytesExchange,
): Promise<void> {
  using _open = file;
  const { sizeBytes } = file;
  const etag = `"${file.sha256}"`;
  if (isKnown(request.headers["if-none-match"], etag)) {
    reply.code(304).header("etag", etag).send();
    return;
  }
  const { range: wanted, "if-range": ifRange } = request.headers;
  const range = readRange(ifRange === undefined || ifRange === etag ? wanted : undefined, sizeBytes);
  if (range === "outside") {
    reply.header("content-range", `bytes */${sizeBytes}`);
    throw new AppError("range_not_satisfiable", { extra: { sizeBytes } });
  }
  // Opened before the head is sent, so that what cannot be opened is still an error.
  const part = range === "whole" ? { start: 0, end: sizeBytes - 1 } : range;
  const content = request.method === "HEAD" ? null : await file.open(part);
  const slowestMs = bounds.uploadBaseMs + Math.ceil((bounds.uploadMsPerMb * sizeBytes) / bytesPerMb);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(slowestMs)]);
  reply.header("content-disposition", `attachment; filename="${file.fileName}"`);
  reply.header("x-content-type-options", "nosniff");
  takeOver(reply);
  const end = () => reply.raw.destroy();
  ended.addEventListener("abort", end, { once: true });
  if (ended.aborted) end();
  await serveBytes(request.raw, reply.raw, {
    sizeBytes,
    etag,
    contentType,
    idleMs: bounds.uploadIdleMs,
    open: () => content ?? file.open(part),
  })
    .catch(end) // the caller is gone, or resumes by a range
    .finally(() => {
      ended.removeEventListener("abort", end);
      content?.destroy();
    });
}
