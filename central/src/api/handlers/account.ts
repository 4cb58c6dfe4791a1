/** Handles the operations of an account and its events, between the edge and the rules. */

import { listActivity } from "../../app/accounts/activity.ts";
import type { AppContext } from "../../app/context.ts";
import { listProjectEvents } from "../../app/projects/project-events.ts";
import { getOwnAccount } from "../../app/accounts/own-account.ts";
import type { Handlers } from "./handlers.ts";

export function accountHandlers(app: AppContext) {
  return {
    getAccount: async ({ principal }) => ({ account: await getOwnAccount(app, principal.account) }),
    listActivity: ({ principal, query }) => listActivity(app, principal.account, query),
    listProjectEvents: ({ principal, params, query }) => listProjectEvents(app, principal, params.id, query),
  } satisfies Partial<Handlers>;
}
