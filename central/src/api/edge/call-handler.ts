/**
 * Calls an operation's handler with input that was checked; with an idempotency key, for the first such
 * request only.
 */

import type { OperationName } from "@tijolo/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { accountOf, actorOf, type Caller, type Principal } from "../../app/identity/caller.ts";
import type { AppContext } from "../../app/context.ts";
import { answerOnce, fingerprintOf } from "../../app/limits/idempotency.ts";
import { languageOf } from "./answer-language.ts";
import type { Handlers } from "../handlers/handlers.ts";
import type { ReceivedBody } from "./read-input.ts";

/** A call after its checks. Its types are the operation's own, which only the table knows. */
export interface CheckedCall extends ReceivedBody {
  name: OperationName;
  caller: Caller | null;
  request: FastifyRequest;
  reply: FastifyReply;
  params: unknown;
  query: unknown;
  signal: AbortSignal;
}

interface Rules {
  app: AppContext;
  handlers: Handlers;
}

export async function callHandler(
  rules: Rules,
  call: CheckedCall,
  idempotencyKey: string | null,
): Promise<unknown> {
  const { name, caller, params, query, body, upload } = call;
  const account = accountOf(caller);
  if (idempotencyKey === null || account === null) return callOnce(rules, call);
  const file = upload === undefined ? null : { name: upload.fileName, sha256: upload.file.sha256 };
  const fingerprint = fingerprintOf({ operation: name, params, query, body, file });
  const request = { accountId: account.id, key: idempotencyKey, fingerprint };
  let isReplay = false;
  try {
    const { answer, isReplayed } = await answerOnce(rules.app, request, (once) =>
      callOnce(rules, call, once),
    );
    isReplay = isReplayed;
    if (isReplayed) call.reply.header("idempotent-replayed", "true");
    return answer;
  } finally {
    call.slot?.settle(isReplay);
  }
}

function callOnce({ app, handlers }: Rules, call: CheckedCall, once?: Principal["once"]): Promise<unknown> {
  const { name, caller, request, reply, params, query, body, upload, signal } = call;
  const address = app.proxies.addressOf(request.raw);
  const handler = handlers[name] as unknown as (call: unknown) => Promise<unknown>;
  return handler({
    principal:
      caller === null
        ? null
        : {
            account: accountOf(caller),
            actor: actorOf(caller, address, name),
            language: languageOf(request.headers["accept-language"]),
            ...(once === undefined ? {} : { once }),
          },
    caller,
    request: { headers: request.headers, address },
    setHeader: (header: string, value: string | string[]) => void reply.header(header, value),
    params,
    query,
    body,
    upload,
    signal,
  });
}
