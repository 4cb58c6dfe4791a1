/** Computes the addresses of this host's subnet, and which of them is given out next. */

export interface AddressRange {
  /** Text as given, with the bits behind the prefix cleared: `10.200.0.0/20`. */
  cidr: string;
  /** First and last address that may be given out, as numbers. */
  first: number;
  last: number;
  /** The network's own address, which no project gets: the resolver's. */
  own: string;
  /**
   * The last address but one, which no project gets either: that of the server of static sites. The last one is
   * the host's own in the mesh (`meshHostAddress`).
   */
  statics: string;
}

/** Parses an IPv4 network of 4 to 65,536 addresses; throws on anything else. */
export function parseAddressRange(cidr: string): AddressRange {
  const [, text = "", prefixText = ""] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(cidr) ?? [];
  const prefix = Number(prefixText);
  const address = parseAddress(text);
  if (address === undefined || prefix < 16 || prefix > 30) {
    throw new Error(`${JSON.stringify(cidr)} is no IPv4 network between /16 and /30`);
  }
  const size = 2 ** (32 - prefix);
  const network = address - (address % size);
  return {
    cidr: `${formatAddress(network)}/${prefix}`,
    first: network + 1,
    last: network + size - 3,
    own: formatAddress(network),
    statics: formatAddress(network + size - 2),
  };
}

/**
 * Returns the first free address after `after`, wrapping around, or undefined when all are taken. Wrapping
 * around puts the longest possible time between two users of one address, so that no connection of the first
 * is still remembered.
 */
export function nextAddress(
  range: AddressRange,
  isTaken: (address: string) => boolean,
  after: string | undefined,
): string | undefined {
  const size = range.last - range.first + 1;
  const start = (parseAddress(after ?? "") ?? range.first - 1) + 1;
  for (let step = 0; step < size; step++) {
    const offset = (((start - range.first + step) % size) + size) % size;
    const address = formatAddress(range.first + offset);
    if (!isTaken(address)) return address;
  }
  return undefined;
}

export function isInRange(range: AddressRange, address: string): boolean {
  const number = parseAddress(address);
  return number !== undefined && number >= range.first && number <= range.last;
}

/** Returns an IPv4 address as a number; undefined when the text is none. */
export function parseAddress(text: string): number | undefined {
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) return undefined;
  const parts = text.split(".").map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}
