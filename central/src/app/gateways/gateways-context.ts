/** The context of rules about gateways. */

import type { ClusterKey } from "../cluster/cluster-key.ts";
import type { CertificatesContext } from "../certificates/certificates-context.ts";
import type { Drains } from "./drains.ts";
import type { SiteRoutes } from "./site-routes.ts";

export interface GatewaysContext extends CertificatesContext {
  clusterKey: ClusterKey;
  siteRoutes: SiteRoutes;
  drains: Drains;
  /** How many connections each gateway has now, by its id. */
  connectedGateways: Map<string, number>;
}
