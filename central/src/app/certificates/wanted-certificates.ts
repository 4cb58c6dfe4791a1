/** Decides which certificates gateways need. */

import type { Reader } from "../../store/store.ts";
import { listSubdomains } from "../../store/tables/projects/site-subdomain.ts";
import type { ServedNames } from "./certificates-context.ts";

/**
 * Returns the names of each certificate that the local authority is to sign, in order: one for central's own
 * names, and for sites a wildcard. Browsers and OpenSSL accept no wildcard directly below a single label, so
 * below `localhost` each site has a certificate of its own.
 */
export async function wantedLocally(db: Reader, { siteDomain, panelHost }: ServedNames): Promise<string[][]> {
  const own = ["localhost", "127.0.0.1", "::1", siteDomain, ...(panelHost === null ? [] : [panelHost])];
  const sites = siteDomain.includes(".")
    ? [[`*.${siteDomain}`]]
    : (await listSubdomains(db)).map((subdomain) => [`${subdomain}.${siteDomain}`]);
  return [[...new Set(own)].sort(), ...sites];
}
