/** Handles the operations on operators and on the record of their changes, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { listAudit } from "../../app/operators/audit.ts";
import { addOperator, listOperators, revokeOperator } from "../../app/operators/operator.ts";
import type { Handlers } from "./handlers.ts";

export function operatorHandlers(app: AppContext) {
  return {
    listOperators: async () => ({ operators: await listOperators(app) }),
    addOperator: ({ principal, body }) => addOperator(app, principal.actor, body),
    async revokeOperator({ principal, params }) {
      await revokeOperator(app, principal.actor, params.operatorId);
      return undefined;
    },
    listAudit: ({ query }) => listAudit(app, query),
  } satisfies Partial<Handlers>;
}
