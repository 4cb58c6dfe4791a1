/**
 * Simulates authenticators, each made from the address that it was given as a QR code, and the codes that
 * they show (RFC 6238).
 */

import assert from "node:assert/strict";
import { TOTP, URI } from "otpauth";

export function authenticatorOf(uri: string): TOTP {
  const authenticator = URI.parse(uri);
  assert.ok(authenticator instanceof TOTP);
  return authenticator;
}

export function authenticatorCode(uri: string, nowMs: number): string {
  return authenticatorOf(uri).generate({ timestamp: nowMs });
}
