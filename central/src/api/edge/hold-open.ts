/** What a request holds open while it lasts: it ends when the caller goes away, or may not call any more. */

import { AppError, type Operation } from "@tijolo/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isKeyAlive, isOperatorAlive, type Caller } from "../../app/identity/caller.ts";
import { watchCaller, type CallerWatch } from "../../app/identity/caller-watch.ts";
import type { AppContext } from "../../app/context.ts";
import { findSessionCaller } from "../../app/people/session.ts";

export interface HeldOpen extends Disposable {
  signal: AbortSignal;
  /** Throws when the caller's key, session or token has ended meanwhile. */
  assertAllowed(): void;
}

/** What is answered at once ends by itself. */
const heldBriefly: HeldOpen = {
  signal: new AbortController().signal,
  assertAllowed() {},
  [Symbol.dispose]() {},
};

/** Streams, uploads and what waits for hosts last long enough to be watched. */
export function holdOpen(
  app: AppContext,
  operation: Operation,
  call: { caller: Caller | null; request: FastifyRequest; reply: FastifyReply; everyMs: number },
): HeldOpen {
  const isLong =
    operation.answer.kind === "events" ||
    operation.body.kind === "upload" ||
    operation.waitsForHosts === true;
  if (!isLong) return heldBriefly;
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

/** Nobody reads it: it keeps what was cut short from being taken for a fault of central. */
const callerGone = {
  pt: "Quem pediu foi embora antes da resposta.",
  en: "The caller went away before the answer.",
};

function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // An answer that was sent whole leaves nobody to tell.
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished)
      controller.abort(new AppError("invalid_request", { detail: callerGone }));
  });
  return controller.signal;
}
