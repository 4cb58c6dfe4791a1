/** Handles the operations with which the service describes itself. */

import type { AppContext } from "../../app/context.ts";
import { getHealth } from "../../app/hosts/health.ts";
import { getService } from "../../app/people/service.ts";
import type { PanelFiles } from "../panel/panel-files.ts";
import { documentHandlers } from "./document.ts";
import type { Handlers } from "./handlers.ts";

/**
 * Seconds for which the description of the service may be cached: it changes with a restart, and when the panel
 * has been built.
 */
const serviceFreshSeconds = 30;

export function serviceHandlers(app: AppContext, panel: PanelFiles) {
  return {
    getHealth: async () => ({ health: await getHealth(app) }),
    getService: async ({ request, setHeader }) => {
      setHeader("cache-control", `max-age=${serviceFreshSeconds}`);
      const panelBuild = (await panel.find())?.id ?? null;
      return getService(app, { panelBuild, host: request.headers.host });
    },
    ...documentHandlers(app),
  } satisfies Partial<Handlers>;
}
