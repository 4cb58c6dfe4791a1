/**
 * Chooses the resolvers: projects ask at the gateway, and the process there asks the host's resolvers, as far
 * as they can be reached from elsewhere.
 */

import { readFile } from "node:fs/promises";
import { parseAddress } from "./address-range.ts";
import { gateway } from "./gateway-address.ts";

/**
 * Files that name the host's resolvers. A stub on loopback (systemd-resolved) cannot be reached from a
 * namespace; its upstreams stand in the second file.
 */
const hostFiles = ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"];

/** Public resolvers that are asked when the host names none of its own. */
const publicResolvers = ["1.1.1.1", "9.9.9.9"];

export interface HostResolvers {
  addresses: string[];
  /** False when the host names none that can be reached, and public ones are used instead. */
  isFromHost: boolean;
}

export async function findHostResolvers(files: readonly string[] = hostFiles): Promise<HostResolvers> {
  for (const file of files) {
    const addresses = resolversIn(await readFile(file, "utf8").catch(() => ""));
    if (addresses.length > 0) return { addresses, isFromHost: true };
  }
  return { addresses: publicResolvers, isFromHost: false };
}

/** Returns the IPv4 resolvers of a resolv.conf that are not on loopback; at most three, libc's limit. */
export function resolversIn(text: string): string[] {
  const addresses = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
  return addresses
    .filter((address) => parseAddress(address) !== undefined && !/^(127|0)\./.test(address))
    .slice(0, 3);
}

/**
 * Returns a container's resolv.conf. It names the gateway alone: with a second resolver beside it, musl would
 * ask both at once and take the other's "no such name" for a project's. Two seconds, three times: a lost
 * packet is asked for again before programs give up.
 */
export function resolvConfText(): string {
  return `nameserver ${gateway}\noptions timeout:2 attempts:3\n`;
}
