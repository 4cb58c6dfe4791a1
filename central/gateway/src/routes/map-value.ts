/** Writes a route as the value of HAProxy's map: fields of strict patterns, so that none can add another. */

import { siteRoute, type SiteRoute } from "@tijolo/protocol";

/**
 * Returns the value: `near|project|address|port|run|own`, `redirect|project|hostname` or `pages|project`. A held
 * route gets no visits of its run. Throws for a route that breaks its schema.
 */
export function mapValue(unchecked: SiteRoute, { isHeld }: { isHeld: boolean }): string {
  const { projectId, near, redirectTo, isOwnDomain } = siteRoute.parse(unchecked);
  if (redirectTo !== null) return `redirect|${projectId}|${redirectTo}`;
  if (near === null || isHeld) return `pages|${projectId}`;
  const { address, port, runNumber } = near;
  return `near|${projectId}|${address}|${port}|${runNumber}|${isOwnDomain ? "own" : "ours"}`;
}
