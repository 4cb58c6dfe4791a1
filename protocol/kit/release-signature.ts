/** Signs and verifies `release.json` by Ed25519. */

import { createHash, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { releaseManifest, type ReleaseManifest } from "../src/release/release-manifest.ts";

/** Keeps a signature of the same key for another purpose from counting here. */
const purpose = "tijolo release v1\n";
const keyPattern = /^[A-Za-z0-9_-]{43}$/;

/** Why a release is refused. */
export class ReleaseRefusedError extends Error {
  override name = "ReleaseRefusedError";
  readonly reason: "wrong_key" | "damaged";

  constructor(reason: "wrong_key" | "damaged", message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Returns the signature as it stands in its file: the key's public half, then the signature. */
export function signRelease(manifest: Uint8Array, key: KeyObject): string {
  const signature = sign(null, signedBytes(manifest), key).toString("base64url");
  return `${publicHalf(key)} ${signature}\n`;
}

/**
 * Returns the manifest, once its signature is that of `publicKey`. Throws {@link ReleaseRefusedError}, with
 * both fingerprints where another key has signed.
 */
export function verifyRelease(manifest: Uint8Array, signature: string, publicKey: string): ReleaseManifest {
  const [signer = "", value = ""] = signature.trim().split(" ");
  if (!keyPattern.test(signer))
    throw new ReleaseRefusedError("damaged", "the release's signature is damaged");
  if (signer !== publicKey)
    throw new ReleaseRefusedError(
      "wrong_key",
      `the release is signed by ${fingerprintOf(signer)}, and ${fingerprintOf(publicKey)} is trusted here`,
    );
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  if (!verify(null, signedBytes(manifest), key, Buffer.from(value, "base64url")))
    throw new ReleaseRefusedError("damaged", "the release's signature does not fit its contents");
  try {
    return releaseManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8")));
  } catch (cause) {
    throw new ReleaseRefusedError("damaged", "the release's description cannot be read", cause);
  }
}

/** Returns the raw public key, base64url. */
export function publicHalf(key: KeyObject): string {
  const { x } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  if (x === undefined) throw new Error("the release key is no Ed25519 key");
  return x;
}

/** Returns a short name of a public key that people can compare. */
export function fingerprintOf(publicKey: string): string {
  const hash = createHash("sha256").update(publicKey).digest("hex").slice(0, 24);
  return (hash.match(/.{4}/g) ?? []).join(":");
}

function signedBytes(manifest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(purpose), manifest]);
}
