/** Signs what an ACME server is sent: JSON Web Signatures in flattened form (RFC 8555, 6.2). */

import { createHash, createHmac, createPublicKey, sign, type KeyObject } from "node:crypto";

export interface SignedMessage {
  protected: string;
  payload: string;
  signature: string;
}

/** Signs with an account's P-256 key. `payload` undefined: POST-as-GET, which has an empty one. */
export function signMessage(
  key: KeyObject,
  {
    url,
    nonce,
    accountUrl,
    payload,
  }: { url: string; nonce: string; accountUrl: string | null; payload: unknown },
): SignedMessage {
  const who = accountUrl === null ? { jwk: publicJwk(key) } : { kid: accountUrl };
  const header = encode(JSON.stringify({ alg: "ES256", ...who, nonce, url }));
  const body = payload === undefined ? "" : encode(JSON.stringify(payload));
  const signature = sign("sha256", Buffer.from(`${header}.${body}`), { key, dsaEncoding: "ieee-p1363" });
  return { protected: header, payload: body, signature: signature.toString("base64url") };
}

/** Binds a new account to one that the operator has with the authority already (RFC 8555, 7.3.4). */
export function bindAccount(
  key: KeyObject,
  { url, keyId, hmacKey }: { url: string; keyId: string; hmacKey: string },
): SignedMessage {
  const header = encode(JSON.stringify({ alg: "HS256", kid: keyId, url }));
  const body = encode(JSON.stringify(publicJwk(key)));
  const signature = createHmac("sha256", Buffer.from(hmacKey, "base64url")).update(`${header}.${body}`);
  return { protected: header, payload: body, signature: signature.digest("base64url") };
}

/** Returns the key's thumbprint (RFC 7638): challenges are answered with `<token>.<thumbprint>`. */
export function thumbprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(JSON.stringify(publicJwk(key)))
    .digest("base64url");
}

/** Returns the value of the TXT record that proves a name (RFC 8555, 8.4). */
export function dnsValueOf(keyAuthorization: string): string {
  return createHash("sha256").update(keyAuthorization).digest("base64url");
}

/** Returns the public key with its members in the order that thumbprints need. */
function publicJwk(key: KeyObject): { crv: string; kty: string; x: string; y: string } {
  const { x, y } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined || y === undefined) throw new Error("an account's key is on the curve P-256");
  return { crv: "P-256", kty: "EC", x, y };
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
