/** Handles the operation of analytics, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { getAnalytics } from "../../app/visits/analytics.ts";
import type { Handlers } from "./handlers.ts";

export function analyticsHandlers(app: AppContext) {
  return {
    getAnalytics: async ({ principal, params, query }) => ({
      analytics: await getAnalytics(app, principal.account, params.id, query),
    }),
  } satisfies Partial<Handlers>;
}
