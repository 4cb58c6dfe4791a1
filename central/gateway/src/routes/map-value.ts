/** Writes a route as the value of HAProxy's map: fields of strict patterns, so that none can add another. */

import { siteRoute, type SiteAddress, type SiteRoute } from "@tijolo/protocol";
import { compressedName } from "../haproxy/compression.ts";
import { routeValue, type RouteFields } from "../haproxy/route-value.ts";

/**
 * Returns the value. The way is `near` or `far` with the address of a run, `near-h2c` or `far-h2c` where it speaks
 * HTTP/2, `static` with that of a host's server of static sites, or `pages`, and each with `-zip` where answers are
 * compressed; or it is `redirect`, with a hostname as the address. A route that is not direct goes to the pages
 * server, though it has a run. Throws for a route that breaks its schema.
 */
export function mapValue(unchecked: SiteRoute, { isDirect }: { isDirect: boolean }): string {
  const route = siteRoute.parse(unchecked);
  const { isOwnDomain, hasHsts, hasMissingPage } = route;
  return routeValue({
    project: route.projectId,
    ...destinationOf(route, { isDirect }),
    domain: isOwnDomain ? "own" : "ours",
    hsts: hasHsts ? "hsts" : "plain",
    missingPage: hasMissingPage === true ? "central" : "here",
  });
}

type Destination = Pick<RouteFields, "way" | "address" | "port" | "run">;

function destinationOf(route: SiteRoute, { isDirect }: { isDirect: boolean }): Destination {
  const { near, redirectTo, isCompressed } = route;
  if (redirectTo !== null) return { way: "redirect", address: redirectTo, port: "", run: "" };
  const named = (way: string) => (isCompressed ? compressedName(way) : way);
  if (near === null || !isDirect) return { way: named("pages"), address: "", port: "", run: "" };
  return { way: named(wayOf(near, route)), address: near.address, port: near.port, run: near.runNumber };
}

function wayOf({ isStatic }: SiteAddress, { farHost, protocol }: SiteRoute): string {
  if (isStatic) return "static";
  return `${farHost === undefined ? "near" : "far"}${protocol === undefined ? "" : `-${protocol}`}`;
}
