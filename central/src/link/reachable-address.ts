/** Tells where other machines reach the client of a connection. */

import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Returns the address from which a client comes, without the zone of IPv6; null when it is on this machine:
 * others reach it where they reach central.
 */
export function reachableAddressOf(address: string): string | null {
  const [bare = ""] = address.replace(/^::ffff:(?=\d+\.)/i, "").split("%", 1);
  if (isIP(bare) === 0 || bare === "::1" || bare.startsWith("127.")) return null;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((one) => one.address === bare) ? null : bare;
}
