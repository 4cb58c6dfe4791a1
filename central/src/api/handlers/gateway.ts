/** Handles the operations on gateways, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import {
  createGatewayToken,
  listGateways,
  removeGateway,
  type GatewayLink,
} from "../../app/gateways/gateway.ts";
import type { Handlers } from "./handlers.ts";

export function gatewayHandlers(app: AppContext, link: GatewayLink) {
  return {
    listGateways: async () => ({ gateways: await listGateways(app) }),
    createGatewayToken: async ({ principal }) => ({
      ...(await createGatewayToken(app, principal.actor)),
      install: await app.installer.describe(app, "gateway"),
    }),
    async removeGateway({ principal, params }) {
      await removeGateway(app, link, principal.actor, params.gateway);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
