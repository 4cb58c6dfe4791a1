/**
 * Codes of authenticators (RFC 6238: SHA-1, six digits, 30 seconds). Better Auth's accept a code twice, and
 * know no clock but their own.
 */

import { createHmac } from "node:crypto";
import type { Random } from "../clock.ts";

const stepMs = 30_000;
const digits = 6;
/** Clocks differ: a code of the step before or after counts too. */
const stepsAround = 1;
const secretBytes = 20;
const issuer = "Tijolo";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret, in hexadecimal. */
export function makeTotpSecret(random: Random): string {
  return Buffer.from(random(secretBytes)).toString("hex");
}

/** What an authenticator reads as a QR code. */
export function totpUri(secret: string, email: string): string {
  const query = new URLSearchParams({
    secret: base32(Buffer.from(secret, "hex")),
    issuer,
    algorithm: "SHA1",
    digits: String(digits),
    period: "30",
  });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`;
}

/** The time step whose code this is, if it is one around `now` and later than `lastStep`. */
export function stepOfCode(
  code: string,
  { secret, now, lastStep }: { secret: string; now: number; lastStep: number },
): number | undefined {
  const current = Math.floor(now / stepMs);
  const steps = Array.from({ length: 2 * stepsAround + 1 }, (_, index) => current - stepsAround + index);
  return steps.find((step) => step > lastStep && codeOf(secret, step) === code);
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", Buffer.from(secret, "hex")).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, "0");
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet.charAt(Number.parseInt(five, 2))).join("");
}
