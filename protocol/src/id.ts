/** Identifiers: 26 characters of Crockford base32, time-ordered (the ULID layout), as the spec's project id. */

import { z } from "zod";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Shape of every project, account, key and host id (spec: "General conventions"). */
export const id = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/);

/** Makes an id of `timeMs` (48 bits, milliseconds since 1970) and 10 random bytes; ids of later milliseconds sort after earlier ones. */
export function makeId(timeMs: number, random: Uint8Array): string {
  if (random.length !== 10) throw new RangeError(`makeId needs 10 random bytes, got ${random.length}`);
  let value = BigInt(timeMs);
  for (const byte of random) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (let digit = 0; digit < 26; digit++) {
    text = alphabet.charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return text;
}

/** The name under which the other projects of the account reach this one (spec: `internalHost`). */
export function internalHostOf(projectId: string): string {
  return `svc-${projectId.slice(-8).toLowerCase()}`;
}
