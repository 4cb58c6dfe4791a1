/**
 * Resolves the names of others' servers, and hands on allowed addresses only: the connection goes to an
 * address that was checked, and no second lookup can give another one.
 */

import { Resolver } from "node:dns/promises";
import { isIPv4, type LookupFunction } from "node:net";
import { isAllowedAddress, type AddressPolicy } from "./private-address.ts";

/** Returns the addresses of a name. Throws when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Thrown for a name that leads to no allowed address. */
export class PrivateAddressError extends Error {
  override name = "PrivateAddressError";
}

/**
 * Asks DNS from this process. `dns.lookup` would occupy a thread of Node's pool for as long as a hostile name
 * server takes, and the same pool syncs the database.
 */
export const resolveByDns: Resolve = async (hostname) => {
  // Its addresses are known (RFC 6761), and DNS does not have them.
  if (/(?:^|\.)localhost$/i.test(hostname)) return ["127.0.0.1", "::1"];
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw new Error(`${hostname} has no address`);
};

/** Returns a lookup for a connection that passes on allowed addresses only. */
export function checkedLookup(resolve: Resolve, policy: AddressPolicy): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async () => {
      const addresses = await resolve(hostname.replace(/\.$/, ""));
      const allowed = addresses.filter((address) => isAllowedAddress(address, policy));
      if (allowed.length === 0) throw new PrivateAddressError(`${hostname} leads to no public address`);
      return allowed.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    };
    answer().then(
      (found) => {
        if (all === true) callback(null, found);
        else callback(null, found[0]?.address ?? "", found[0]?.family ?? 4);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}
