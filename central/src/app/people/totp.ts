/** Checks codes of authenticators (RFC 6238: SHA-1, six digits, 30 seconds), each of which is valid once. */

import { Secret, TOTP } from "otpauth";
import type { Random } from "../clock.ts";

const format = { algorithm: "SHA1", digits: 6, period: 30 };
/** Steps before and after whose codes are accepted, because clocks differ. */
const stepsAround = 1;
const secretBytes = 20;
const issuer = "Tijolo";

/** Returns a new secret, in hexadecimal. */
export function makeTotpSecret(random: Random): string {
  return Buffer.from(random(secretBytes)).toString("hex");
}

/** Returns what an authenticator reads as a QR code. */
export function totpUri(secret: string, email: string): string {
  const query = new URLSearchParams({
    secret: Secret.fromHex(secret).base32,
    issuer,
    algorithm: format.algorithm,
    digits: String(format.digits),
    period: String(format.period),
  });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`;
}

/** Returns the time step whose code this is, if it is one around `now` and later than `lastStep`. */
export function stepOfCode(
  code: string,
  { secret, now, lastStep }: { secret: string; now: number; lastStep: number },
): number | undefined {
  const current = TOTP.counter({ ...format, timestamp: now });
  const stepsAway = TOTP.validate({
    ...format,
    secret: Secret.fromHex(secret),
    token: code,
    timestamp: now,
    window: stepsAround,
  });
  if (stepsAway === null || current + stepsAway <= lastStep) return undefined;
  return current + stepsAway;
}
