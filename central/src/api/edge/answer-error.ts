/** Turns an error into an HTTP response; the only place that does. */

import type { Duplex } from "node:stream";
import { AppError, type ErrorCode } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import { endSocket } from "@tijolo/protocol/kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { addVary } from "./add-vary.ts";
import { languageOf } from "./answer-language.ts";
import { challengeOf } from "./challenge.ts";
import { discardRest } from "./discard-rest.ts";

export interface ErrorEdge {
  logger: Logger;
  /** Time as in {@link discardRest}. */
  lingerMs: number;
}

export function answerError(
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, lingerMs }: ErrorEdge,
): void {
  const error = toAppError(cause, request.id);
  if (error.code === "internal_error")
    logger.error({ err: cause, requestId: request.id, url: request.url }, "request failed");
  if (error.retryAfterSeconds !== null)
    reply.header("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  if (error.status === 401)
    reply.header("www-authenticate", challengeOf(error.code, request.raw.headers.authorization));
  addVary(reply, "accept-language");
  if (!request.raw.complete) discardRest(request.raw, lingerMs);
  void reply
    .code(error.status)
    .header("x-request-id", request.id)
    .send(error.toBody(languageOf(request.headers["accept-language"])));
}

/** Answers what is not even HTTP: there is no request to answer, only a socket. */
export function answerBrokenRequest(
  cause: Error & { code?: string },
  socket: Duplex,
  { requestId, lingerMs }: BrokenRequest,
): void {
  // Answered already: this is the rest of it.
  if (socket.writableEnded) return;
  if (cause.code !== "ECONNRESET" && socket.writable && !isInsideAnswer(socket)) {
    const body = JSON.stringify(
      new AppError("invalid_request", {
        detail: requestDetails.notHttp,
      }).toBody(),
    );
    const headers = [
      `x-request-id: ${requestId}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    const lastBytes = ["HTTP/1.1 400 Bad Request", ...headers, "connection: close", "", body].join("\r\n");
    return endSocket(socket, { lastBytes, lingerMs });
  }
  socket.destroy();
}

export interface BrokenRequest {
  requestId: string;
  /** Time as in {@link discardRest}. */
  lingerMs: number;
}

/** True while an answer is being sent on the socket: a second head would land in the middle of it. */
function isInsideAnswer(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function toAppError(cause: unknown, requestId: string): AppError {
  if (cause instanceof AppError) return cause;
  const code = codeOfRefusal(cause);
  if (code !== null) return new AppError(code, { cause });
  return new AppError("internal_error", { extra: { requestId }, cause });
}

/** Returns the code for addresses and headers that the HTTP library cannot read. */
function codeOfRefusal(cause: unknown): ErrorCode | null {
  if (!(cause instanceof Error) || !("statusCode" in cause) || typeof cause.statusCode !== "number")
    return null;
  if (cause.statusCode === 415) return "unsupported_media_type";
  return cause.statusCode >= 400 && cause.statusCode < 500 ? "invalid_request" : null;
}
