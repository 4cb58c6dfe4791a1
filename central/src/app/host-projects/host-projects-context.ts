/** The context of rules about the projects that hosts hold. */

import type { ClusterKey } from "../cluster/cluster-key.ts";
import type { ProjectsContext } from "../projects/projects-context.ts";

export interface HostProjectsContext extends ProjectsContext {
  /** Signs what hosts keep for central. */
  clusterKey: ClusterKey;
}
