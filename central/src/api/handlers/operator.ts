/** Handles the operations on operators and on the record of their changes, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { listAudit } from "../../app/operators/audit.ts";
import { addOperatorPerson } from "../../app/operators/operator-person.ts";
import { addOperator, listOperators, revokeOperator } from "../../app/operators/operator.ts";
import { createStartLink } from "../../app/people/first-person.ts";
import type { Handlers } from "./handlers.ts";

export function operatorHandlers(app: AppContext) {
  return {
    listOperators: async () => ({ operators: await listOperators(app) }),
    addOperator: ({ principal, body }) => addOperator(app, principal.actor, body),
    addOperatorPerson: ({ principal, body }) => addOperatorPerson(app, principal.actor, body),
    createStartLink: async ({ principal }) => ({ link: await createStartLink(app, principal.actor) }),
    async revokeOperator({ principal, params }) {
      await revokeOperator(app, principal.actor, params.operatorId);
      return undefined;
    },
    listAudit: ({ query }) => listAudit(app, query),
  } satisfies Partial<Handlers>;
}
