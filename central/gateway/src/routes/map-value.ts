/** Writes a route as the value of HAProxy's map: fields of strict patterns, so that none can add another. */

import { siteRoute, type SiteAddress, type SiteRoute } from "@tijolo/protocol";

/**
 * Returns the value, `way|project|address|port|run|own|hsts|missing`. The way is `near` or `far` with the address of
 * a run, `near-h2c` or `far-h2c` where it speaks HTTP/2, `static` with that of a host's server of static sites, or
 * `pages`, and each with `-zip` where answers are compressed; or it is `redirect`, with a hostname as the address. A
 * held route gets no visits of its run. Throws for a route that breaks its schema.
 */
export function mapValue(unchecked: SiteRoute, { isHeld }: { isHeld: boolean }): string {
  const route = siteRoute.parse(unchecked);
  const { projectId, near, redirectTo, isOwnDomain, hasHsts, isCompressed, hasMissingPage } = route;
  const [way, address, port, run] =
    redirectTo !== null
      ? ["redirect", redirectTo, "", ""]
      : near === null || isHeld
        ? ["pages", "", "", ""]
        : [wayOf(near, route), near.address, near.port, near.runNumber];
  const settings = [
    isOwnDomain ? "own" : "ours",
    hasHsts ? "hsts" : "plain",
    hasMissingPage === true ? "central" : "here",
  ];
  const wholeWay = isCompressed && way !== "redirect" ? `${way}-zip` : way;
  return [wholeWay, projectId, address, port, run, ...settings].join("|");
}

function wayOf({ isStatic }: SiteAddress, { farHost, protocol }: SiteRoute): string {
  if (isStatic) return "static";
  return `${farHost === undefined ? "near" : "far"}${protocol === undefined ? "" : `-${protocol}`}`;
}
