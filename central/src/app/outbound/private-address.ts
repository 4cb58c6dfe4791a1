/**
 * Decides which addresses central connects to where somebody else chooses them, as for webhooks and domains:
 * public ones only. Otherwise an account could have central reach addresses in its own network (server-side
 * request forgery).
 */

import { BlockList, isIP, isIPv4 } from "node:net";

/** IPv4 of homes and offices, which an operator may allow. */
const privateIpv4 = networks("ipv4", [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
]);

/**
 * IPv4 that is never another server's: this host, link-local with the clouds' metadata, protocols, examples,
 * benchmarks, relays, multicast, reserved; and the metadata of Alibaba's cloud, which lies in a private
 * network.
 */
const neverIpv4 = networks("ipv4", [
  "0.0.0.0/8",
  "100.100.100.200/32",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

const privateIpv6 = networks("ipv6", ["::1/128", "fc00::/7"]);

/** Metadata of Amazon's cloud, in a private network. */
const neverIpv6 = networks("ipv6", ["fd00:ec2::/32"]);

/**
 * The one part of IPv6 that is public. Outside of it lie loopback, link-local, multicast, and the forms that
 * hold an IPv4 address: mapped (`::ffff:0:0/96`), compatible (`::/96`) and NAT64 (`64:ff9b::/96`,
 * `64:ff9b:1::/48`).
 */
const globalIpv6 = networks("ipv6", ["2000::/3"]);

/**
 * Parts of {@link globalIpv6} that are not public: protocols with Teredo and ORCHID, examples, and 6to4,
 * which holds an IPv4 address.
 */
const specialIpv6 = networks("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

export interface AddressPolicy {
  /** True when private networks are allowed, too. Link-local addresses and metadata never are. */
  mayReachPrivate: boolean;
}

/** True for an address that central may connect to; false also for a text that is no address. */
export function isAllowedAddress(address: string, { mayReachPrivate }: AddressPolicy): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  if (isIPv4(address)) {
    if (neverIpv4.check(address)) return false;
    return mayReachPrivate || !privateIpv4.check(address);
  }
  if (neverIpv6.check(address, "ipv6")) return false;
  if (globalIpv6.check(address, "ipv6")) return !specialIpv6.check(address, "ipv6");
  return mayReachPrivate && privateIpv6.check(address, "ipv6");
}

/** Returns the host of an address, without the brackets of IPv6 and without a dot at its end. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * True for an address whose host is an IP address that is not allowed. `URL` has made one form of all forms.
 */
export function isForbiddenUrl(url: string, policy: AddressPolicy): boolean {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isAllowedAddress(host, policy);
}

function networks(family: "ipv4" | "ipv6", list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [address = "", length] = network.split("/");
    found.addSubnet(address, Number(length), family);
  }
  return found;
}
