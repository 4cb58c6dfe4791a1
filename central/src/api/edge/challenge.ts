/** Builds the challenge of a 401: the credentials it accepts (RFC 9110, 11.6.1; for a key RFC 6750, 3). */

import type { ErrorCode } from "@tijolo/protocol";

/**
 * Returns the header `WWW-Authenticate`. A session is no scheme of HTTP's: its name tells a client that no
 * key would help.
 */
export function challengeOf(code: ErrorCode, authorization: string | undefined): string {
  if (code !== "invalid_api_key" && code !== "invalid_operator_token") return 'Session realm="Tijolo"';
  return /^Bearer +\S/i.test(authorization ?? "")
    ? 'Bearer realm="Tijolo", error="invalid_token"'
    : 'Bearer realm="Tijolo"';
}
