/** Handles the operations on what holds for the visits to a site, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { getSiteSettings, setSiteSettings } from "../../app/projects/site-settings.ts";
import type { Handlers } from "./handlers.ts";

export function siteSettingsHandlers(app: AppContext) {
  return {
    getSiteSettings: async ({ principal, params: { id } }) => ({
      siteSettings: await getSiteSettings(app, principal, id),
    }),
    setSiteSettings: async ({ principal, params: { id }, body }) => ({
      siteSettings: await setSiteSettings(app, principal, id, body),
    }),
  } satisfies Partial<Handlers>;
}
