/** Reads IPv4 networks and compares them. */

import { isIPv4 } from "node:net";

/** Addresses from `start` on, as numbers; `size` is a power of two, and `start` a multiple of it. */
export interface Ipv4Network {
  start: number;
  size: number;
}

/** Returns the network of `10.200.0.0/21`; undefined for other text, and for an address within a network. */
export function parseNetwork(text: string): Ipv4Network | undefined {
  const [address = "", length = "", ...rest] = text.split("/");
  const start = numberOfAddress(address);
  if (start === undefined || !/^\d{1,2}$/.test(length) || Number(length) > 32 || rest.length > 0)
    return undefined;
  const size = 2 ** (32 - Number(length));
  return start % size === 0 ? { start, size } : undefined;
}

export function textOfNetwork({ start, size }: Ipv4Network): string {
  const octets = [24, 16, 8, 0].map((bits) => Math.floor(start / 2 ** bits) % 256);
  return `${octets.join(".")}/${32 - Math.log2(size)}`;
}

export function numberOfAddress(text: string): number | undefined {
  if (!isIPv4(text)) return undefined;
  return text.split(".").reduce((value, octet) => value * 256 + Number(octet), 0);
}

export function overlaps(one: Ipv4Network, other: Ipv4Network): boolean {
  return one.start < other.start + other.size && other.start < one.start + one.size;
}

export function contains(outer: Ipv4Network, inner: Ipv4Network): boolean {
  return inner.start >= outer.start && inner.start + inner.size <= outer.start + outer.size;
}
