/** Reads the optional header `Idempotency-Key` (api.md: Conventions). */

import { AppError, takesIdempotencyKey, type Operation } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { FastifyRequest } from "fastify";

/**
 * Returns the key; null without the header, and where it has no meaning. Throws `invalid_request` unless it
 * is 1 to 255 visible ASCII characters.
 */
export function idempotencyKeyOf(operation: Operation, { headers }: FastifyRequest): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined || !takesIdempotencyKey(operation)) return null;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError("invalid_request", {
    extra: { field: "Idempotency-Key" },
    detail: requestDetails.badIdempotencyKey,
  });
}
