/** Handles the operations on a site's own pages, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { getSitePage, listSitePages, removeSitePage, setSitePage } from "../../app/projects/site-page.ts";
import type { Handlers } from "./handlers.ts";

export function sitePageHandlers(app: AppContext) {
  return {
    listSitePages: async ({ principal, params: { id } }) => ({
      pages: await listSitePages(app, principal, id),
    }),
    getSitePage: async ({ principal, params: { id, status } }) => ({
      page: await getSitePage(app, principal, id, status),
    }),
    setSitePage: async ({ principal, params: { id, status }, body: { html } }) => ({
      page: await setSitePage(app, principal, id, { status, html }),
    }),
    removeSitePage: async ({ principal, params: { id, status } }) => {
      await removeSitePage(app, principal, id, status);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
