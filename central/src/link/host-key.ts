/**
 * Proves a host's identity: checks the Ed25519 signature of a hello against the key the host registered when
 * it joined.
 */

import { createPublicKey, verify } from "node:crypto";
import { helloSignatureText, type LinkSocket } from "@tijolo/protocol";

/** `publicKey` is the raw 32 bytes, base64url. */
export function isHelloSigned(
  publicKey: string,
  hello: { hostId: string; socket: LinkSocket | "gateway"; signature: string },
  { nonce, channel }: { nonce: string; channel: string | undefined },
): boolean {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    const text = helloSignatureText({ hostId: hello.hostId, socket: hello.socket, nonce, channel });
    return verify(null, Buffer.from(text), key, Buffer.from(hello.signature, "base64url"));
  } catch {
    return false;
  }
}
