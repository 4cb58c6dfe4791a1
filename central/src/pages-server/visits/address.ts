/** Parses a visitor's address to numbers: those of its network, and what countries are looked up by. */

export type Address =
  | { family: 4; value: number }
  /** Its upper 64 bits, which a network gives to one customer. */
  | { family: 6; high: number; low: number };

/** Longest text of an IPv6 address, with the zone of an interface. */
const maxLength = 64;

/** Parses an address; undefined when it is none. An IPv4 address that is mapped into IPv6 is an IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > maxLength) return undefined;
  if (!text.includes(":")) return parseIPv4(text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  return mapped === undefined ? parseIPv6(text) : parseIPv4(mapped);
}

/** Returns the network of an address as text: IPv4 as a whole, of IPv6 the /64. */
export function networkOf(address: Address): string {
  return address.family === 4
    ? address.value.toString(36)
    : `${address.high.toString(36)}:${address.low.toString(36)}`;
}

function parseIPv4(text: string): Address | undefined {
  let value = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (digits === 0) return undefined;
      value = value * 256 + part;
      part = 0;
      digits = 0;
      dots += 1;
    } else if (code >= 48 && code <= 57) {
      part = part * 10 + code - 48;
      digits += 1;
      if (part > 255 || digits > 3) return undefined;
    } else return undefined;
  }
  return dots === 3 && digits > 0 ? { family: 4, value: value * 256 + part } : undefined;
}

function parseIPv6(text: string): Address | undefined {
  const [address = ""] = text.split("%", 1);
  const [before = "", after, ...more] = address.split("::");
  if (more.length > 0) return undefined;
  const front = groupsOf(before);
  const back = groupsOf(after ?? "");
  if (front === undefined || back === undefined) return undefined;
  const missing = 8 - front.length - back.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...front, ...Array.from({ length: missing }, () => 0), ...back];
  const pair = (index: number) => (groups[index] ?? 0) * 65_536 + (groups[index + 1] ?? 0);
  return { family: 6, high: pair(0), low: pair(2) };
}

/** Returns the groups of 16 bits; undefined when one is malformed. Dotted ones at the end count as two. */
function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  for (const part of text.split(":")) {
    const dotted = part.includes(".") ? parseIPv4(part) : undefined;
    if (dotted?.family === 4) groups.push(dotted.value >>> 16, dotted.value & 0xff_ff);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups.length > 8 ? undefined : groups;
}
