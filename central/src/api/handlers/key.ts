/** Handles the operations of API keys, between the edge and the rules. */

import { AppError } from "@tijolo/protocol";
import type { AppContext } from "../../app/context.ts";
import { createOwnKey, listKeys, revokeKey } from "../../app/people/key.ts";
import type { Handlers } from "./handlers.ts";

export function keyHandlers(app: AppContext) {
  return {
    listKeys: async ({ principal }) => ({ keys: await listKeys(app, principal.account.id) }),
    async createKey({ principal, caller, body }) {
      if (caller?.kind !== "session") throw new AppError("not_authenticated");
      return createOwnKey(app, principal, { ...body, personId: caller.person.id });
    },
    async revokeKey({ principal, params }) {
      await revokeKey(app, principal, params.keyId);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
