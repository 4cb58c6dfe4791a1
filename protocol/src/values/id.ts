/**
 * Makes identifiers: 26 characters of Crockford base32, time-ordered (the ULID layout), as the spec's project
 * id.
 */

import { z } from "zod";
import { named } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".split("");
/** Two-digit texts of the numbers below 1024, precomputed because an id is made with every request. */
const pairs = alphabet.flatMap((high) => alphabet.map((low) => high + low));

/** Shape of every project, account, key and host id (spec: "General conventions"). */
export const id = named("Id", z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, inputReasons.badId.pt), {
  text: {
    pt: "26 caracteres em base32 de Crockford; ids mais novos vêm depois na ordem.",
    en: "26 characters in Crockford's base32; newer ids sort after older ones.",
  },
});

/**
 * Makes an id of `timeMs` (48 bits, milliseconds since 1970) and 10 random bytes; ids of later milliseconds
 * sort after earlier ones.
 */
export function makeId(timeMs: number, random: Uint8Array): string {
  if (random.length !== 10) throw new RangeError(`makeId needs 10 random bytes, got ${random.length}`);
  return encode(timeMs, 10) + encode(read(random, 0), 8) + encode(read(random, 5), 8);
}

/** Returns the 40 bits from `offset` on. */
function read(bytes: Uint8Array, offset: number): number {
  return bytes.subarray(offset, offset + 5).reduce((value, byte) => value * 256 + byte, 0);
}

/** Encodes the last digits, an even number of them, of a whole number below 2^53, in base32. */
function encode(value: number, digits: number): string {
  let [text, rest] = ["", Math.floor(value)];
  for (let left = digits; left > 0; left -= 2) {
    text = (pairs[rest % 1024] ?? "00") + text;
    rest = Math.floor(rest / 1024);
  }
  return text;
}

/** Returns the name under which the other projects of the account reach this one (spec: `internalHost`). */
export function internalHostOf(projectId: string): string {
  return `svc-${projectId.slice(-8).toLowerCase()}`;
}
