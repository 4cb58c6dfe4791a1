/** Handles the operations on master keys and what they sealed, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { forgetVariables } from "../../app/projects/forget-variables.ts";
import { rotateMasterKey } from "../../app/operators/rotate-master-key.ts";
import type { Handlers } from "./handlers.ts";

export function secretHandlers(app: AppContext) {
  return {
    getMasterKeys: () => app.masterKeys.status(),
    rotateMasterKey: ({ principal }) => rotateMasterKey(app, principal.actor),
    forgetVariables: ({ principal, params }) => forgetVariables(app, principal.actor, params.projectId),
  } satisfies Partial<Handlers>;
}
