/** Handles the operations with which the service describes itself. */

import type { serviceOperations } from "@tijolo/protocol";
import type { AppContext } from "../../app/context.ts";
import { getHealth } from "../../app/hosts/health.ts";
import { documentHandlers } from "./document.ts";
import type { Handlers } from "./handlers.ts";

export function serviceHandlers(app: AppContext): Pick<Handlers, keyof typeof serviceOperations> {
  return {
    getHealth: async () => ({ health: await getHealth(app) }),
    ...documentHandlers(app),
  };
}
