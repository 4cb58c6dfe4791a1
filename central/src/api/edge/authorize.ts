/**
 * Decides who may call an operation: the checks in the order that the interface states, each with its own
 * code (api.md: "Who may call what").
 */

import { AppError, type Operation } from "@tijolo/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findCaller, hasScope, type Caller } from "../../app/identity/caller.ts";
import type { AppContext } from "../../app/context.ts";
import { findOperatorOfSession } from "../../app/operators/operator-person.ts";
import { assertRole } from "../../app/operators/operator-rules.ts";
import { isConfirmed } from "../../app/people/confirmation.ts";
import { isOfTwoFactors } from "../../app/identity/has-two-factor.ts";
import { findSessionCaller } from "../../app/people/session.ts";
import { countAgainstRateLimit } from "./rate-limit.ts";
import { assertSameOrigin } from "./same-origin.ts";

type Called = Pick<Operation, "access" | "effect">;

/**
 * Runs the checks and throws the first that fails; the request is counted in any case. Returns null for a
 * public operation.
 */
export async function authorize(
  app: AppContext,
  operation: Called,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const caller = await callerOf(app, operation, request);
  const overLimit = await countAgainstRateLimit(app, caller, reply);
  assertMayCall(operation, caller);
  if (isFromCookies(operation, caller)) assertSameOrigin(app, request);
  if (overLimit !== null) throw overLimit;
  await assertProven(app, operation, caller);
  return operation.access.kind === "public" ? null : caller;
}

function callerOf(app: AppContext, { access }: Called, request: FastifyRequest): Promise<Caller | null> {
  switch (access.kind) {
    case "public":
      return identifyVisitor(app, request);
    case "operator":
      return identifyOperator(app, request);
    case "panel":
    case "key":
      return identify(app, request);
  }
}

/** Checks a request that leads to no operation: a wrong key and a passed limit are reported first. */
export async function authorizeNothing(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const overLimit = await countAgainstRateLimit(app, await identify(app, request), reply);
  if (overLimit !== null) throw overLimit;
}

/** True for a change that a cookie allows, or one that sets cookies, such as a sign-in. */
function isFromCookies({ access, effect }: Called, caller: Caller | null): boolean {
  if (effect !== "change") return false;
  return (
    access.kind === "public" ||
    caller?.kind === "session" ||
    (caller?.kind === "operator" && caller.session !== null)
  );
}

/**
 * Returns the caller: the key or token of the header `Authorization`; without that header, the session of the
 * cookie; null with neither.
 */
async function identify(app: AppContext, request: FastifyRequest): Promise<Caller | null> {
  const { authorization } = request.headers;
  if (authorization === undefined)
    return (await findSessionCaller(app, request.headers, app.proxies.addressOf(request.raw))) ?? null;
  const secret = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  // Without a key in it, there is none that could be wrong.
  if (secret === undefined) throw new AppError("invalid_api_key");
  return findCaller(app, secret, app.proxies.addressOf(request.raw));
}

/**
 * Returns the caller of a public operation, who need not identify: a key that comes anyway is counted, a
 * wrong one too.
 */
async function identifyVisitor(app: AppContext, request: FastifyRequest): Promise<Caller | null> {
  if (request.headers.authorization === undefined) return null;
  try {
    return await identify(app, request);
  } catch (cause) {
    if (cause instanceof AppError) return null;
    throw cause;
  }
}

/**
 * Returns the operator: by the token of the header `Authorization`, or without that header by the session of a
 * person who has a role.
 */
async function identifyOperator(app: AppContext, request: FastifyRequest): Promise<Caller | null> {
  try {
    const caller = await identify(app, request);
    return caller?.kind === "session" ? ((await findOperatorOfSession(app, caller)) ?? caller) : caller;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "invalid_api_key")
      throw new AppError("invalid_operator_token", { cause });
    throw cause;
  }
}

/**
 * Asks more of an operator's session than of a token, because a cookie is all that a thief of it needs: a
 * second factor, and for changes a confirmation. Throws `two_factor_required`, `confirmation_required`.
 */
async function assertProven(app: AppContext, { effect }: Called, caller: Caller | null): Promise<void> {
  if (caller?.kind !== "operator" || caller.session === null) return;
  const { session } = caller.session;
  if (!(await isOfTwoFactors(app.db, caller.session))) throw new AppError("two_factor_required");
  if (effect === "change" && !isConfirmed(app, session)) throw new AppError("confirmation_required");
}

function assertMayCall({ access, effect }: Called, caller: Caller | null): void {
  switch (access.kind) {
    case "public":
      return;
    case "panel":
      if (caller?.kind === "key") throw new AppError("api_key_not_allowed");
      if (caller === null || (caller.kind === "operator" && access.operator === undefined))
        throw new AppError("not_authenticated");
      if (caller.kind === "operator" && access.operator !== undefined)
        assertRole(caller.operator.role, access.operator);
      return;
    case "operator":
      if (caller?.kind !== "operator") throw new AppError("invalid_operator_token");
      assertRole(caller.operator.role, access.role);
      return;
    case "key": {
      if (caller === null || caller.kind === "operator") throw new AppError("invalid_api_key");
      if (hasScope(caller, access.scope)) return;
      if (effect === "change" && caller.kind === "key" && caller.key.level === "read")
        throw new AppError("insufficient_permission");
      throw new AppError("insufficient_scope", { extra: { requiredScope: access.scope } });
    }
  }
}
