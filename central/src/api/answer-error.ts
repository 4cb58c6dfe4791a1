/** The one place where an error becomes an HTTP answer. */

import { AppError } from "@tijolo/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";

export function answerError(cause: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const error = toAppError(cause, request.id);
  if (error.code === "internal_error") logger.error({ err: cause, requestId: request.id, url: request.url }, "request failed");
  if (error.retryAfterSeconds !== null) reply.header("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  // A body that nobody will read must not be waited for.
  if (!request.raw.complete) reply.header("connection", "close");
  void reply.code(error.status).send(error.toBody(languageOf(request)));
}

function toAppError(cause: unknown, requestId: string): AppError {
  return cause instanceof AppError ? cause : new AppError("internal_error", { extra: { requestId }, cause });
}

function languageOf(request: FastifyRequest): "pt" | "en" {
  return /^\s*en\b/i.test(request.headers["accept-language"] ?? "") ? "en" : "pt";
}
