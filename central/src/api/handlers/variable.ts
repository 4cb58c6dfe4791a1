/** Handles the variable operations, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { changeVariables, listVariables, setVariables } from "../../app/projects/variable.ts";
import type { Handlers } from "./handlers.ts";

export function variableHandlers(app: AppContext) {
  return {
    listVariables: async ({ principal, params }) => ({
      variables: await listVariables(app, principal.account, params.id),
    }),
    setVariables: ({ principal, params, body }) => setVariables(app, principal, params.id, body.variables),
    changeVariables: ({ principal, params, body }) =>
      changeVariables(app, principal, params.id, body.variables),
  } satisfies Partial<Handlers>;
}
