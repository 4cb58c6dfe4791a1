/** Who may call an operation: the checks in the order that the interface states, each with its own code. */

import { AppError, type Operation } from "@tijolo/protocol";
import { findCaller, type Caller } from "../app/caller.ts";
import type { AppContext } from "../app/context.ts";

/** Throws the first check that fails; null for a public operation. */
export async function authorize(
  app: AppContext,
  operation: Pick<Operation, "access" | "effect">,
  authorization: string | undefined,
): Promise<Caller | null> {
  const { access } = operation;
  if (access.kind === "public") return null;
  const secret = /^Bearer ([^\s]+)$/i.exec(authorization ?? "")?.[1];
  if (access.kind === "panel") {
    if (authorization === undefined) throw new AppError("not_authenticated");
    const caller = await findCaller(app, secret ?? "");
    if (caller.kind === "key") throw new AppError("api_key_not_allowed");
    return caller;
  }
  const caller = await findCaller(app, secret ?? "");
  if (caller.kind !== "key") throw new AppError("invalid_api_key");
  if (operation.effect === "change" && caller.key.level === "read" && !caller.key.scopes.includes(access.scope)) {
    throw new AppError("insufficient_permission");
  }
  if (!caller.key.scopes.includes(access.scope)) {
    throw new AppError("insufficient_scope", { extra: { requiredScope: access.scope } });
  }
  return caller;
}
