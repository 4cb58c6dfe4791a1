/** Handles the operations on the cluster's machines, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { getHostHardware } from "../../app/host-projects/host-hardware.ts";
import { getHostView } from "../../app/host-projects/host-view.ts";
import { createJoinToken, listHosts, revokeHost, setHostMemory } from "../../app/hosts/host.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import type { Handlers } from "./handlers.ts";

export function hostHandlers(app: AppContext, link: Pick<HostLink, "ask" | "disconnect">) {
  return {
    listHosts: async () => ({ hosts: await listHosts(app) }),
    createJoinToken: async ({ principal, body }) => ({
      ...(await createJoinToken(app, principal.actor, body.memoryMb)),
      install: await app.installer.describe(app, "host"),
    }),
    getHost: ({ params, signal }) => getHostView(app, link, params.host, signal),
    getHostHardware: async ({ params, signal }) => ({
      hardware: await getHostHardware(app, link, params.host, signal),
    }),
    updateHost: async ({ principal, params, body }) => ({
      host: await setHostMemory(app, principal.actor, params.host, body.memoryMb),
    }),
    async revokeHost({ principal, params }) {
      await revokeHost(app, link, principal.actor, params.host);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
