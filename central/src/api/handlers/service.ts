/** Handles the operations with which the service describes itself. */

import type { AppContext } from "../../app/context.ts";
import { getHealth } from "../../app/hosts/health.ts";
import { documentHandlers } from "./document.ts";
import type { Handlers } from "./handlers.ts";

export function serviceHandlers(app: AppContext) {
  return {
    getHealth: async () => ({ health: await getHealth(app) }),
    ...documentHandlers(app),
  } satisfies Partial<Handlers>;
}
