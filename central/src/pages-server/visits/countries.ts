/**
 * Finds the country of an address in the tables of Debian's tor-geoipdb: one line per range, `first,last,XX`,
 * IPv4 as numbers, IPv6 as text (IPFire Location Database, CC BY-SA 4.0).
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import { parseAddress, type Address } from "./address.ts";

/** A table for each family: begins and ends of ranges in their order, and two letters for each. */
interface Ranges {
  begins: Float64Array;
  ends: Float64Array;
  countries: string;
}

/** Lines that are parsed before others get their turn: some milliseconds. */
const linesAtOnce = 5_000;

const noRanges: Ranges = { begins: new Float64Array(), ends: new Float64Array(), countries: "" };

export class Countries {
  #ofIPv4 = noRanges;
  #ofIPv6 = noRanges;

  /**
   * Reads `geoip` and `geoip6` in the directory, and knows what they say once all is read. A file that is
   * missing knows no country.
   */
  async load(directory: string): Promise<void> {
    const read = (name: string) => readFile(join(directory, name), "latin1").catch(whenMissing);
    this.#ofIPv4 = await parseRanges(await read("geoip"), Number);
    this.#ofIPv6 = await parseRanges(await read("geoip6"), networkNumber);
  }

  /** Number of ranges that are known. */
  get size(): number {
    return this.#ofIPv4.begins.length + this.#ofIPv6.begins.length;
  }

  /** Returns the two letters of the country; undefined when it is unknown, as of private addresses. */
  find(address: Address): string | undefined {
    return address.family === 4
      ? findIn(this.#ofIPv4, address.value)
      : findIn(this.#ofIPv6, numberOf(address));
  }
}

/**
 * Returns the upper 53 bits of the 64: networks are told apart down to /53, and registries give none smaller
 * than /48 to a country.
 */
function numberOf({ high, low }: { high: number; low: number }): number {
  return high * 2 ** 21 + Math.floor(low / 2 ** 11);
}

function networkNumber(text: string): number {
  const address = parseAddress(text);
  return address?.family === 6 ? numberOf(address) : Number.NaN;
}

/**
 * Parses the lines that hold a range; comments and what is malformed are left out. They are some hundred
 * thousand, so that others get their turn meanwhile.
 */
async function parseRanges(text: string, parse: (text: string) => number): Promise<Ranges> {
  const begins: number[] = [];
  const ends: number[] = [];
  const countries: string[] = [];
  for (let from = 0, lines = 0, end = 0; from < text.length; from = end + 1, lines++) {
    if (lines % linesAtOnce === 0) await others();
    end = text.indexOf("\n", from);
    if (end === -1) end = text.length;
    const [first = "", last = "", country = ""] = text.slice(from, end).split(",");
    if (!/^[A-Z]{2}\r?$/.test(country)) continue;
    const begin = parse(first);
    const until = parse(last);
    if (!(begin <= until) || begin < (begins.at(-1) ?? 0)) continue;
    begins.push(begin);
    ends.push(until);
    countries.push(country.slice(0, 2));
  }
  return {
    begins: Float64Array.from(begins),
    ends: Float64Array.from(ends),
    countries: countries.join(""),
  };
}

function findIn({ begins, ends, countries }: Ranges, value: number): string | undefined {
  let low = 0;
  let high = begins.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((begins[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && value <= (ends[index] ?? -1) ? countries.slice(2 * index, 2 * index + 2) : undefined;
}

function whenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
  throw error;
}
