/** Defines the context of rules about gateways. */

import type { CertificatesContext } from "../certificates/certificates-context.ts";
import type { Drains } from "./drains.ts";
import type { GatewayKeys } from "./gateway-keys.ts";
import type { SiteRoutes } from "./site-routes.ts";

export interface GatewaysContext extends CertificatesContext {
  gatewayKeys: GatewayKeys;
  siteRoutes: SiteRoutes;
  drains: Drains;
  /** How many connections each gateway has now, by its id. */
  connectedGateways: Map<string, number>;
}
