import { X509Certificate } from "node:crypto";

/** Returns the SHA-256 of a chain's first certificate, as hex digits in lower case. */
export function fingerprintOf(chain: string): string {
  return new X509Certificate(chain).fingerprint256.replaceAll(":", "").toLowerCase();
}
