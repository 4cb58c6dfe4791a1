/**
 * Writes DER (X.690), as far as certificates and their requests need it. Nothing here reads DER:
 * `X509Certificate` of Node does.
 */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
/** Class and form bits of a tag that has its meaning from its place. */
const contextTag = { primitive: 0x80, constructed: 0xa0 } as const;
/** First year that UTCTime cannot hold. */
const firstLongYear = 2050;

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export function sequence(...items: readonly Buffer[]): Buffer {
  return encode(tags.sequence, Buffer.concat(items));
}

export function setOf(item: Buffer): Buffer {
  return encode(tags.set, item);
}

export function boolean(value: boolean): Buffer {
  return encode(tags.boolean, Buffer.from([value ? 0xff : 0x00]));
}

/** Returns a positive integer; `bytes` are its magnitude, the highest byte first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const magnitude = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const isHigh = ((magnitude[0] ?? 0) & 0x80) !== 0;
  return encode(tags.integer, isHigh ? Buffer.concat([Buffer.from([0]), magnitude]) : magnitude);
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Uint8Array): Buffer {
  return encode(tags.octetString, Buffer.from(bytes));
}

export function utf8String(text: string): Buffer {
  return encode(tags.utf8String, Buffer.from(text, "utf8"));
}

/** Returns an object identifier, which is written in numbers with dots between. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left % 128) | 0x80);
    bytes.push(...groups);
  }
  return encode(tags.objectId, Buffer.from(bytes));
}

/** Returns a time, to the second: UTCTime up to 2049, GeneralizedTime after it (RFC 5280, 4.1.2.5). */
export function time(milliseconds: number): Buffer {
  const date = new Date(milliseconds);
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return date.getUTCFullYear() < firstLongYear
    ? encode(tags.utcTime, Buffer.from(digits.slice(2)))
    : encode(tags.generalizedTime, Buffer.from(digits));
}

/** Returns a value under a tag that has its meaning from its place; the value's own tag is replaced. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return encode(contextTag.primitive | number, Buffer.from(content));
}

/** Returns items within a tag that has its meaning from its place. */
export function explicit(number: number, ...items: readonly Buffer[]): Buffer {
  return encode(contextTag.constructed | number, Buffer.concat(items));
}
