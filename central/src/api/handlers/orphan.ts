/** Handles the operations on orphans, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import { adoptOrphan } from "../../app/host-projects/adopt-orphan.ts";
import { listOrphans } from "../../app/host-projects/orphan.ts";
import { removeOrphan } from "../../app/host-projects/remove-orphan.ts";
import type { Handlers } from "./handlers.ts";

export function orphanHandlers(app: AppContext, link: Pick<HostLink, "ask">) {
  return {
    listOrphans: ({ query, signal }) => listOrphans(app, link, query, signal),
    adoptOrphan: ({ principal, params, body, signal }) =>
      adoptOrphan(app, link, principal.actor, { ...params, ...body }, signal),
    removeOrphan: ({ principal, params, query, signal }) =>
      removeOrphan(app, link, principal.actor, { ...params, ...query }, signal),
  } satisfies Partial<Handlers>;
}
