/**
 * Describes the renewal of a HAProxy that was fetched, as on Debian 12: Debian's updates of the machine do not reach
 * that tree, and the gateway's own unit may not write it.
 */

import type { Renewal } from "../daily-renewal.ts";
import { places } from "../places.ts";

/** Returns the daily renewal, which ends at once where the gateway's HAProxy is the machine's own. */
export function haproxyRenewal(tree: string): Renewal {
  return {
    name: "haproxy",
    what: "the gateway's HAProxy",
    command: `${tree}/bin/node ${tree}/central/gateway/src/prepare.js --renew`,
    writes: [places.tools],
    environment: { TIJOLO_TOOLS_DIRECTORY: places.tools },
  };
}
