/** Handles the metric operations, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { getAccountMetrics, getMetrics } from "../../app/projects/project-metrics.ts";
import type { Handlers } from "./handlers.ts";

export function metricHandlers(app: AppContext) {
  return {
    getMetrics: ({ principal, params, query }) => getMetrics(app, principal.account, params.id, query.range),
    getAccountMetrics: ({ principal, query }) => getAccountMetrics(app, principal.account, query.range),
  } satisfies Partial<Handlers>;
}
