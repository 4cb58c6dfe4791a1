/** Writes a route as the value of HAProxy's map: fields of strict patterns, so that none can add another. */

import { siteRoute, type SiteRoute } from "@tijolo/protocol";

/**
 * Returns the value, `way|project|address|port|run|own|hsts|zip`: `near` with the address of a run, `redirect` with a
 * hostname in its place, or `pages`. A held route gets no visits of its run. Throws for a route that breaks its
 * schema.
 */
export function mapValue(unchecked: SiteRoute, { isHeld }: { isHeld: boolean }): string {
  const { projectId, near, redirectTo, isOwnDomain, hasHsts, isCompressed } = siteRoute.parse(unchecked);
  const [way, address, port, run] =
    redirectTo !== null
      ? ["redirect", redirectTo, "", ""]
      : near === null || isHeld
        ? ["pages", "", "", ""]
        : ["near", near.address, near.port, near.runNumber];
  const settings = [isOwnDomain ? "own" : "ours", hasHsts ? "hsts" : "plain", isCompressed ? "zip" : "raw"];
  return [way, projectId, address, port, run, ...settings].join("|");
}
