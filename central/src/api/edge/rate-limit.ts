/**
 * Counts a request against the rate limit of its caller. Each answer to a key names the limit and what is left
 * of it (spec: Limits).
 */

import { AppError, type Plan } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { FastifyReply } from "fastify";
import type { Caller } from "../../app/identity/caller.ts";
import type { AppContext } from "../../app/context.ts";
import { planOf } from "../../app/accounts/plan-of.ts";

/** Returns the error of a request over the limit. The caller throws it after the checks that come first. */
export async function countAgainstRateLimit(
  app: AppContext,
  caller: Caller | null,
  reply: FastifyReply,
): Promise<AppError | null> {
  switch (caller?.kind) {
    case "key": {
      const plan = planOf(app, caller.account.plan);
      const standing = await app.requestRates.take(caller.account.id, plan);
      reply.header("ratelimit-limit", standing.limit);
      reply.header("ratelimit-remaining", standing.remaining);
      reply.header("ratelimit-reset", standing.resetSeconds);
      reply.header("ratelimit-policy", policyOf(plan));
      const { retryAfterSeconds } = standing;
      return retryAfterSeconds === null
        ? null
        : new AppError("rate_limit_exceeded", { retryAfterSeconds, detail: refusalDetails.limitOfPlan });
    }
    case "session":
      return app.sessionRates.take(caller.session.id);
    case "operator":
      return caller.session === null ? null : app.sessionRates.take(caller.session.session.id);
    case undefined:
      return null;
  }
}

function policyOf({ requestsPerMinute, requestsPerDay }: Plan): string {
  return `${requestsPerMinute};w=60, ${requestsPerDay};w=86400`;
}
