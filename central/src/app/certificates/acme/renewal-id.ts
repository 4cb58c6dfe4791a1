/**
 * Finds the id under which an authority says when to renew a certificate (RFC 9773, 4.1): its authority's key
 * id and its serial number.
 */

import type { X509Certificate } from "node:crypto";

/** Object identifier of the extension with the authority's key id, as it stands in a certificate. */
const authorityKeyId = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x23]);
const octetString = 0x04;
const sequence = 0x30;
const keyIdTag = 0x80;
const maxKeyIdBytes = 64;

/**
 * Returns the id; null for a certificate that does not name its authority's key. Node shows the serial number
 * but not that key id, so it is looked for by the bytes before it; a wrong find is an id that nobody knows.
 */
export function renewalIdOf(certificate: X509Certificate): string | null {
  const at = certificate.raw.indexOf(authorityKeyId);
  if (at < 0) return null;
  const [outer, , inner, , tag, length = 0] = certificate.raw.subarray(at + authorityKeyId.length);
  if (outer !== octetString || inner !== sequence || tag !== keyIdTag || length > maxKeyIdBytes) return null;
  const begin = at + authorityKeyId.length + 6;
  const keyId = certificate.raw.subarray(begin, begin + length);
  return `${keyId.toString("base64url")}.${serialOf(certificate).toString("base64url")}`;
}

/** Returns the serial number as the bytes of its DER integer: a high first bit takes a zero byte before it. */
function serialOf({ serialNumber }: X509Certificate): Buffer {
  const bytes = Buffer.from(serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`, "hex");
  return ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]);
}
