/** Where a site is opened from the panel. */

import { useRead } from "./use-read.ts";

interface Addressed {
  url: string | null;
  subdomain: string | null;
}

/**
 * Returns the address that opens the project's site, null for a bot. Over HTTP where browsers may not know the
 * cluster's own authority yet.
 */
export function useSiteLink({ url, subdomain }: Addressed): string | null {
  const plain = useRead("getService").data?.plainSiteUrlPattern ?? null;
  return url === null || subdomain === null || plain === null ? url : plain.replace("*", subdomain);
}
