/** Defines the context of rules about the projects that hosts hold. */

import type { ClusterKey } from "../cluster/cluster-key.ts";
import type { GatewaysContext } from "../gateways/gateways-context.ts";
import type { NoticesContext } from "../notices/notices-context.ts";
import type { ProjectsContext } from "../projects/projects-context.ts";

export interface HostProjectsContext extends ProjectsContext, Pick<NoticesContext, "limitChecks" | "mail"> {
  /** Signs what hosts keep for central. */
  clusterKey: ClusterKey;
  /** Names that sites are served under. */
  servedNames: GatewaysContext["servedNames"];
  /** Is told where hosts run. */
  siteRoutes: Pick<GatewaysContext["siteRoutes"], "readAll">;
}
