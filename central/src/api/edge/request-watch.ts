/**
 * Watches a long request. Its signal aborts when the caller disconnects, or when the caller's key, session or
 * token is revoked.
 */

import { AppError, type Operation } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isKeyAlive, isOperatorAlive, type Caller } from "../../app/identity/caller.ts";
import { watchCaller, type CallerWatch } from "../../app/identity/caller-watch.ts";
import type { AppContext } from "../../app/context.ts";
import { findOperatorOfSession } from "../../app/operators/operator-person.ts";
import { isOfTwoFactors } from "../../app/identity/has-two-factor.ts";
import { findSessionCaller, type SessionCaller } from "../../app/people/session.ts";

export interface RequestWatch extends Disposable {
  signal: AbortSignal;
  /** Throws when the caller's key, session or token was revoked meanwhile. */
  assertAllowed(): void;
}

/** Serves requests that are answered at once. */
const noWatch: RequestWatch = {
  signal: new AbortController().signal,
  assertAllowed() {},
  [Symbol.dispose]() {},
};

/** Watches streams, uploads, downloads and requests that wait for hosts; others are too short for it. */
export function watchRequest(
  app: AppContext,
  operation: Operation,
  call: { caller: Caller | null; request: FastifyRequest; reply: FastifyReply; everyMs: number },
): RequestWatch {
  const isLong =
    operation.answer.kind === "events" ||
    operation.answer.kind === "bytes" ||
    operation.answer.kind === "text" ||
    operation.body.kind === "upload" ||
    operation.waitsForHosts === true;
  if (!isLong) return noWatch;
  const gone = signalOf(call.reply);
  const watch = watchOf(app, call);
  return {
    signal: watch === null ? gone : AbortSignal.any([gone, watch.signal]),
    assertAllowed: () => watch?.signal.throwIfAborted(),
    [Symbol.dispose]: () => watch?.[Symbol.dispose](),
  };
}

function watchOf(
  app: AppContext,
  { caller, request, everyMs }: { caller: Caller | null; request: FastifyRequest; everyMs: number },
): CallerWatch | null {
  switch (caller?.kind) {
    case "key":
      return watchCaller(app, {
        topic: `account:${caller.account.id}`,
        everyMs,
        isAlive: () => isKeyAlive(app, caller.key.id),
        refusal: "invalid_api_key",
      });
    case "session":
      return watchCaller(app, {
        topic: `account:${caller.account.id}`,
        everyMs,
        isAlive: async () =>
          (await findSessionCaller(app, request.headers))?.session.id === caller.session.id,
        refusal: "not_authenticated",
      });
    case "operator":
      if (caller.session !== null) return watchPerson(app, { session: caller.session, request, everyMs });
      return watchCaller(app, {
        topic: `operator:${caller.operator.id}`,
        everyMs,
        isAlive: () => isOperatorAlive(app, caller.operator.id),
        refusal: "invalid_operator_token",
      });
    case undefined:
      return null;
  }
}

/** Watches the session of a person who is an operator, and the role. */
function watchPerson(
  app: AppContext,
  { session, request, everyMs }: { session: SessionCaller; request: FastifyRequest; everyMs: number },
): CallerWatch {
  return watchCaller(app, {
    topic: `account:${session.account.id}`,
    everyMs,
    async isAlive() {
      const found = await findSessionCaller(app, request.headers);
      if (found?.session.id !== session.session.id) return false;
      return (await findOperatorOfSession(app, found)) !== undefined && isOfTwoFactors(app.db, found);
    },
    refusal: "invalid_operator_token",
  });
}

function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // An answer that was sent whole leaves nobody to tell. Nobody reads this error: it keeps what was cut short
  // from being taken for a fault of central.
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished)
      controller.abort(new AppError("invalid_request", { detail: requestDetails.callerGone }));
  });
  return controller.signal;
}
