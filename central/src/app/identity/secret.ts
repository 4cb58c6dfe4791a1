/** Makes keys and tokens from strong randomness; they are shown once, and stored as a hash. */

import { hash } from "node:crypto";
import type { Random } from "../clock.ts";

export type SecretPrefix = "svc_" | "tjo_" | "tjj_" | "tjg_" | "tjs_" | "tjl_";

/**
 * Returns 256 bits after the prefix: `svc_` API key, `tjo_` operator's token, `tjj_` join token of a host,
 * `tjg_` of a gateway, `tjs_` panel session, `tjl_` single-use link.
 */
export function makeSecret(prefix: SecretPrefix, random: Random): string {
  return prefix + Buffer.from(random(32)).toString("base64url");
}

/**
 * Hashes by plain SHA-256: the secrets have 256 bits of their own, so there is nothing to guess and each
 * request stays cheap.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

export function isSecret(prefix: SecretPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 43 &&
    text.startsWith(prefix) &&
    /^[A-Za-z0-9_-]+$/.test(text.slice(prefix.length))
  );
}
